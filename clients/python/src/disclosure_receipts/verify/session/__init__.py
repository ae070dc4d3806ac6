"""What a set of files comes to: docs/receipt-format.md, "Many files"."""
