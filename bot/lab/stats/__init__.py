"""Numbers about results: counts in, estimates with intervals out. Pure; nothing here reads a journal."""
