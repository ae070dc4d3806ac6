"""Adapters for the stacks in which conversations happen: they attest what was played, and not what was configured."""
