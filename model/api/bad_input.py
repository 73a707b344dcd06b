"""What is wrong with something that somebody gave us."""


class BadInput(ValueError):
    """Input that cannot be understood or used; the message names it, and the place in it, in one line."""
