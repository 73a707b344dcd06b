"""What is wrong with something that somebody gave us."""


class BadInput(ValueError):
    """Input that cannot be understood or used; the message names it, and the place in it, in one line."""


MISREAD = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What a document raises that is not of the shape that its reader takes for granted."""
