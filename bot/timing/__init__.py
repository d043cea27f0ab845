"""Clocks, time budgets and back-off: everything about time, none of it reading a clock by itself."""
