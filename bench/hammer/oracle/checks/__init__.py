"""The checks, one subject in each file. Each adds its findings and counts what it looked at."""
