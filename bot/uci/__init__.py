"""The compiled engine as a chess program's engine: the UCI protocol, on standard input and output.

`commands` reads what the other side says, `lines` writes what we say: both pure. `pacing` turns clocks into a
limit for one move. `engine_thread` is the thread that searches, and `session` the one that listens.
"""
