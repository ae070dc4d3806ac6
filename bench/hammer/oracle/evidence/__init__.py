"""The evidence that the oracle reads: the journal of the run, the tenants' histories and the public log."""
