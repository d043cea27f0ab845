"""Names of networks among the options."""

from __future__ import annotations

#: The network that ships as the best, and no network at all: the hand-written evaluation judges.
DEFAULT, NONE = "default", "none"
