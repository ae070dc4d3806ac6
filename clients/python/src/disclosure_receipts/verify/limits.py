"""Limits of what is read: evidence comes from strangers."""

MAX_FILE_BYTES = 8 * 1024 * 1024
# A token of 64 KiB in base64. No text in evidence is longer.
MAX_TEXT_LENGTH = (64 * 1024 + 2) // 3 * 4
MAX_LIST_LENGTH = 2_000
MAX_CHECKPOINT_LENGTH = 16 * 1024
MAX_PEM_BYTES = 1024 * 1024
MAX_BUNDLED_LAYERS = 16
MAX_DEPTH = 32
MAX_PATH_NODES = 54
MAX_INTEGER = 2**53 - 1
CLOCK_TOLERANCE_MS = 5 * 60 * 1000
