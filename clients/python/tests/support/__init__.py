"""The stand-ins for the service, and what else the tests share."""
