"""Tests of the oracle's own formats, against published vectors and the plainest reading of their definitions."""
