"""Experiments on this machine: seeded, repeatable, with intervals beside every number."""
