"""Texts of strangers, as they may be printed."""


def printable(text: str) -> str:
    """Nothing in it may move a cursor or turn the text around."""
    return "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in text)
