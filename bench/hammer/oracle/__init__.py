"""The oracle of the hammer: it judges a whole run by the documents alone, and shares no code with the service."""
