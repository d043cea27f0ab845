"""A chess engine in Python, compiled to machine code by numba when it is first used.

    state        the one record that every compiled function works on
    jit          how a function is compiled
    intrinsics   what Python has no word for: single machine instructions, the clock, a shared flag
    attacks, zobrist, moves, generate, make, perft     the board and its moves
    position     from python-chess and back
    weights, evaluate ...                              what a position is worth, as written by hand
    network, learned, dot                              what it is worth, as a network has learnt
    leaf                                               either, as the search asks for it
    exchange, table, ordering, quiescence, node, search    looking ahead
    deepening, searcher     one search for a player: time, several lines, several threads
    cache, seal, warm, memory, most                    where the code is kept; what the machine has; limits

Importing this package imports nothing heavy, nor do the modules of the last line; most others import numba.

House rules of compiled code. A bitboard is an uint64, and meets nothing but other uint64 (`U(1)`, never a
bare 1): numba makes an int64 of a mixture, and a float64 of a variable that is either. Squares, moves and
scores are int64. A function calls itself only with variables, never with literals: the machine code of such
a call cannot be loaded back from the cache. Data come in through the record: a global array would be frozen
into the code.
"""
