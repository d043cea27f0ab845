"""A run as one page: what was played, what it shows, and how sure that is."""
