"""Whether to accept a challenge: a reason to decline it, or None."""
