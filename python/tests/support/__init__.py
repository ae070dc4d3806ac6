"""What stands in for the service, and what tests share."""
