"""Promises about this machine, measured: each command prints a table, or JSON, and fails when one is broken."""
