"""Promises, measured on this machine: a table or JSON, and a failure when one is broken."""
