"""`knightshift run` from its start to its end: who may serve, where the token comes from, how it stops."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.local_lichess import AccountHandle, LocalLichess
from bot.local_lichess.players import Resign
from tests.e2e import faulty_strategies
from tests.e2e.kit import (
    BotProcess,
    Challenger,
    Shuffler,
    assert_posted_once,
    ended_by_the_rules,
    own_module,
    run_to_end,
    serving,
    wait_all_over,
    wait_ply,
    write_config,
)
from tests.e2e.programs import Program

SIGNALS = (signal.SIGTERM, signal.SIGINT)
needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")


# --- who may serve ------------------------------------------------------------------------------------


def test_upgrade_makes_it_a_bot_and_serves(server: LocalLichess, tmp_path: Path) -> None:
    account = server.add_account("Knight", scopes=("bot:play",))
    with BotProcess(tmp_path, "--upgrade", "--yes", url=server.url, token=account.token) as bot:
        bot.wait_online(server, account)
        assert server.lobby.accounts.get("knight").is_bot
        bot.stop()
    assert "This cannot be undone" in bot.stderr


def test_a_second_copy_on_this_machine_is_refused(server: LocalLichess, tmp_path: Path) -> None:
    account = server.add_account("Knight", title="BOT")
    env = {"XDG_STATE_HOME": str(tmp_path / "state")}
    with serving(server, account, tmp_path / "first", env=env) as first:
        config = write_config(tmp_path / "second", url=server.url, token=account.token)
        second = run_to_end("run", "--config", str(config), cwd=tmp_path / "second", env=env)
        assert second.exit_code() == 1
        assert f"served already, by process {first.pid} on this machine" in second.logged[-1]


def test_a_token_revoked_while_it_serves_ends_it(server: LocalLichess, tmp_path: Path) -> None:
    account = server.add_account("Knight", title="BOT")
    with BotProcess(tmp_path, url=server.url, token=account.token) as bot:
        bot.wait_online(server, account)

        def revoke() -> None:
            server.lobby.accounts.revoke(account.token)
            server.lobby.feeds.close_all()

        server.on_loop(revoke)
        assert bot.exit_code() == 3
        assert "Lichess lets us in no longer" in bot.stderr
        assert "Traceback" not in bot.stderr


def test_a_token_revoked_in_mid_game_ends_it_although_its_streams_stay_open(
    server: LocalLichess, tmp_path: Path
) -> None:
    account = server.add_account("Knight", title="BOT")
    with BotProcess(tmp_path, url=server.url, token=account.token) as bot:
        bot.wait_online(server, account)
        rival = server.add_account("Rival")
        server.attach("Rival", Shuffler())
        with Challenger(server, rival) as challenger:
            wait_ply(server, challenger.challenge(account), 4)
        server.on_loop(lambda: server.lobby.accounts.revoke(account.token))
        assert bot.exit_code() == 3
        assert "Lichess lets us in no longer" in bot.stderr
        assert "Traceback" not in bot.stderr


@needs_proc
def test_a_game_for_which_there_are_no_files_left_is_taken_up_when_there_are(
    server: LocalLichess, tmp_path: Path
) -> None:
    account = server.add_account("Knight", title="BOT")
    with serving(server, account, tmp_path) as bot:
        usual = resource.prlimit(bot.pid, resource.RLIMIT_NOFILE)
        held = max(int(name) for name in os.listdir(f"/proc/{bot.pid}/fd"))  # noqa: PTH208  names of numbers
        resource.prlimit(bot.pid, resource.RLIMIT_NOFILE, (held + 1, usual[1]))
        rival = server.add_account("Rival")
        server.attach("Rival", Shuffler())
        with Challenger(server, rival) as challenger:
            game_id = challenger.challenge(account)
        bot.wait_for("cannot be taken up now: ")
        resource.prlimit(bot.pid, resource.RLIMIT_NOFILE, usual)
        wait_ply(server, game_id, 4)
        server.act("Rival", game_id, Resign())


# --- how it starts and stops --------------------------------------------------------------------------


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def test_it_waits_for_a_network_that_is_not_there_yet(tmp_path: Path) -> None:
    port = free_port()
    with BotProcess(tmp_path, url=f"http://127.0.0.1:{port}", token="lip_token") as bot:
        bot.wait_for("Connection refused; trying again in ")
        with LocalLichess(port=port) as server:
            account = server.add_account("Knight", title="BOT", token="lip_token")
            bot.wait_online(server, account)
            bot.stop()


@pytest.mark.parametrize("number", SIGNALS)
def test_it_can_be_stopped_while_it_waits_for_the_network(tmp_path: Path, number: signal.Signals) -> None:
    with BotProcess(tmp_path, url=f"http://127.0.0.1:{free_port()}", token="lip_token") as bot:
        bot.wait_for("trying again in ")
        bot.stop(number)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_it_when_idle(server: LocalLichess, tmp_path: Path, number: signal.Signals) -> None:
    account = server.add_account("Knight", title="BOT")
    with BotProcess(tmp_path, url=server.url, token=account.token) as bot:
        bot.wait_online(server, account)
        bot.stop(number)
    assert bot.logged[-1].endswith("stopped")


def test_a_signal_lets_the_games_go_on_to_their_end(server: LocalLichess, tmp_path: Path) -> None:
    account = server.add_account("Knight", title="BOT")
    own_module(tmp_path, "mine")
    with (
        BotProcess(tmp_path, url=server.url, token=account.token, strategy="mine:shuffles") as bot,
        Challenger(server, server.add_account("Person")) as person,
        Challenger(server, server.add_account("Latecomer")) as latecomer,
    ):
        bot.wait_online(server, account)
        game_id = person.challenge(account, color="white", limit_s=300, increment_s=3)
        bot.wait_for(rf"\[{game_id}\] game against Person")
        person.act(game_id, "move/g1f3")
        wait_ply(server, game_id, 2)
        bot.signal(signal.SIGTERM)
        bot.wait_for("finishing 1 game")
        late = latecomer.challenge(account, limit_s=300, increment_s=3)
        server.wait_until(lambda: latecomer_is_answered(server, late))
        assert latecomer.show(late)["declineReasonKey"] == "later"
        for ply, move in ((3, "f3g1"), (5, "g1f3"), (7, "f3g1")):
            person.act(game_id, f"move/{move}")
            wait_ply(server, game_id, ply + 1)
        bot.has_stopped()
    game = server.game(game_id)
    assert ended_by_the_rules(game), game.status
    assert_posted_once(server, game, account.id)


def latecomer_is_answered(server: LocalLichess, challenge_id: str) -> bool:
    challenge = server.lobby.challenges.book.find(challenge_id)
    return challenge is not None and not challenge.is_pending


def bot_in_thought(
    folder: Path, server: LocalLichess, account: AccountHandle, **options: Any
) -> tuple[BotProcess, str]:
    """A bot in the middle of a game, whose strategy thinks for ever; and the game's id."""
    person = server.add_account("Person")
    server.attach(person.name, Shuffler())
    folder.mkdir(exist_ok=True)
    shutil.copy(faulty_strategies.__file__, folder / "faulty.py")
    bot = BotProcess(
        folder,
        own_session=True,
        url=server.url,
        token=account.token,
        strategy="faulty:thinks_for_ever",
        log={"level": "debug"},
        **options,
    )
    try:
        bot.wait_online(server, account)
        game_id = server.challenge(person.name, account.name, color="white", limit_s=10800, increment_s=0)
        bot.wait_for("thinking for ever")
    except BaseException:
        bot.kill()
        raise
    return bot, game_id


@pytest.mark.parametrize("number", SIGNALS)
def test_without_a_deadline_a_signal_ends_it_in_mid_game(
    server: LocalLichess, tmp_path: Path, number: signal.Signals
) -> None:
    account = server.add_account("Knight", title="BOT")
    bot, game_id = bot_in_thought(tmp_path, server, account, games={"stop_deadline_s": 0})
    with bot:
        bot.stop(number)
    assert "leaving 1 game" in bot.stderr
    assert server.game(game_id).status == "started"  # it was neither resigned nor aborted


@pytest.mark.parametrize("number", SIGNALS)
def test_a_stop_before_it_serves_is_a_stop_as_asked(tmp_path: Path, number: signal.Signals) -> None:
    """It is held up where it reads its configuration, from a pipe into which nobody has written yet."""
    pipe = tmp_path / "config.yml"
    os.mkfifo(pipe)
    with Program("run", "--config", str(pipe), cwd=tmp_path) as bot, pipe.open("w"):  # opens once it reads
        bot.signal(number)
        assert bot.exit_code() == 0
    assert bot.stderr == ""


def test_a_second_ctrl_c_ends_it_in_mid_game(server: LocalLichess, tmp_path: Path) -> None:
    """A terminal sends Ctrl-C to the bot and to all that it has started."""
    account = server.add_account("Knight", title="BOT")
    bot, game_id = bot_in_thought(tmp_path, server, account)
    with bot:
        os.killpg(bot.pid, signal.SIGINT)
        bot.wait_for("finishing 1 game")
        os.killpg(bot.pid, signal.SIGINT)
        bot.has_stopped()
    assert "stopping at once" in bot.stderr
    assert server.game(game_id).status == "started"


@needs_proc
def test_a_bot_that_was_killed_leaves_nothing_and_its_successor_plays_on(
    server: LocalLichess, tmp_path: Path
) -> None:
    account = server.add_account("Knight", title="BOT")
    bot, game_id = bot_in_thought(tmp_path / "first", server, account)
    with bot:
        bot.signal(signal.SIGKILL)
        assert bot.exit_code() == -signal.SIGKILL
        bot.leaves_nobody()
    own = tmp_path / "second"
    own_module(own, "mine")
    env = {"XDG_STATE_HOME": str(tmp_path / "first")}  # the first one's lock is no hindrance
    with serving(server, account, own, env=env, strategy="mine:shuffles") as successor:
        wait_all_over(server, [game_id])
    assert successor.complaints() == []
    game = server.game(game_id)
    assert ended_by_the_rules(game), game.status
    assert_posted_once(server, game, account.id)


def test_the_log_of_a_whole_life_is_short_and_plain(server: LocalLichess, tmp_path: Path) -> None:
    """Every line is a time, a level and a sentence; nothing of the libraries underneath is in it."""
    account = server.add_account("Knight", title="BOT")
    person = server.add_account("Person")
    server.attach(person.name, Shuffler())
    own_module(tmp_path, "mine")
    with serving(server, account, tmp_path, strategy="mine:shuffles") as bot:
        wait_all_over(server, [server.challenge(person.name, account.name, color="white")])
    line = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (INFO   |WARNING) \S.*")
    assert [each for each in bot.logged if not line.fullmatch(each)] == []
    assert bot.complaints() == []
    assert bot.printed == []
