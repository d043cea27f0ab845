"""`python -m bot.local_lichess`: the local Lichess in the foreground."""

from __future__ import annotations

import argparse
import sys

from bot.local_lichess.serve import DEFAULT_PORT, serve


def main(arguments: list[str] | None = None) -> int:
    """Exit code 2 when the port cannot be had."""
    parser = argparse.ArgumentParser(
        prog="python -m bot.local_lichess", description="A local Lichess on loopback, until Ctrl-C."
    )
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help="0: any free one (default: %(default)s)"
    )
    parser.add_argument("--random-games", type=int, default=0, metavar="N", help="the guest plays N games")
    chosen = parser.parse_args(arguments)
    try:
        serve(say=_write, port=chosen.port, random_games=chosen.random_games)
    except OSError as error:
        sys.stderr.write(f"cannot listen on 127.0.0.1:{chosen.port}: {error.strerror}; try another --port\n")
        return 2
    return 0


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
