"""What is kept of what happened."""
