"""Verifies evidence with the standard library alone, by the rules of docs/receipt-format.md."""
