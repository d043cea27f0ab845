"""Knightshift: a Lichess bot account runner, and a laboratory for its players."""

__version__ = "0.1.0"
