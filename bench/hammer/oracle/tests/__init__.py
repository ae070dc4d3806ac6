"""Tests of what the oracle alone decides, on chains that are made here."""
