"""The formats of the receipts, each read and recomputed from its specification alone."""
