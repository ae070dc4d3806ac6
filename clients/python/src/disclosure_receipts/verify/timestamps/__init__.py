"""RFC 3161 timestamp tokens, down to their signatures."""
