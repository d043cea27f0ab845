from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.yaml_tree import MAX_CHARACTERS, Fault, Mapping, Scalar, Sequence, classify, read_tree


def fault_of(text: str) -> Fault:
    tree, faults = read_tree(text)
    assert tree is None
    assert len(faults) == 1
    return faults[0]


def test_every_node_knows_its_line() -> None:
    tree, faults = read_tree("# a comment\na: 1\nb:\n  - x\n  - c: 'y'\n")
    assert faults == ()
    assert tree == Mapping(
        2,
        {
            "a": Scalar(2, "1", 1),
            "b": Sequence(
                4,
                (Scalar(4, "x", "x"), Mapping(5, {"c": Scalar(5, "y", "y", is_quoted=True)}, {"c": 5})),
            ),
        },
        {"a": 2, "b": 3},
    )


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "\ufeff"])
def test_an_empty_text_has_no_tree_and_no_fault(text: str) -> None:
    assert read_tree(text) == (None, ())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", True),
        ("On", True),
        ("TRUE", True),
        ("no", False),
        ("off", False),
        ("False", False),
        ("12", 12),
        ("-3", -3),
        ("0", 0),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("~", None),
        ("null", None),
        ("", None),
    ],
)
def test_plain_scalars(text: str, value: object) -> None:
    assert classify(text) == value
    assert type(classify(text)) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        "1:30",
        "010",
        "0x10",
        "0o7",
        "1_000",
        "2024-01-01",
        "3+2",
        "½+0",
        "y",
        "n",
        "yEs",
        ".inf",
        ".nan",
        "1e9999",
    ],
)
def test_the_surprises_of_yaml_1_1_stay_text(text: str) -> None:
    assert classify(text) == text


def test_a_number_of_any_length_is_read() -> None:
    assert classify("9" * 5_000) == float("inf")


def test_duplicate_keys_are_faults_and_the_first_counts() -> None:
    tree, faults = read_tree("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n")
    assert faults == (
        Fault(4, "found twice: the first is in line 3", ("b", "c")),
        Fault(5, "found twice: the first is in line 1", ("a",)),
    )
    assert isinstance(tree, Mapping)
    assert tree.entries["a"] == Scalar(1, "1", 1)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("a: 1\n\tb: 2", 2, "a tab"),
        ("a:\n\tb: 2", 2, "a tab"),
        ("a: [1\n\nb: 2", 1, "without its ]"),
        ("a: 1\nb: [", 2, "never closed"),
        ("a: {b: 1", 1, "without its }"),
        ('a: "x\nb: 1', 1, "never closed"),
        ("a: 'x\n---\nb: '", 1, "never closed"),
        ("a: 1\nb\nc: 2", 2, "colon"),
        ("a: 1\nb", 2, "`key: value`"),
        ("a: b: c", 1, "second colon"),
        ("a: 1\n  b: 2", 2, "indentation"),
        ("- a\nb: 1", 2, "not indented like"),
        ("a: - b", 1, "list in the line of its key"),
        ("a: @x", 1, "quotes"),
        ("a: %x", 1, "quotes"),
        ("a: }", 1, "quotes"),
        (r'a: "C:\games"', 1, "backslash"),
        (r'a: "C:\bots"', 1, "backslash"),
        (r'a: "\UFFFFFFFF"', 1, "not YAML"),
        ("a: &x 1", 1, "anchor"),
        ("a: 1\nb: *a", 2, "alias"),
        ("a: !!python/object/apply:os.system [ls]", 1, "tag"),
        ("a: !!str 1", 1, "tag"),
        ("a: !x!y 1", 1, "tag"),
        ("a: 1\n---\nb: 2", 2, "second document"),
        ("a: 1\n...\n---\n", 3, "second document"),
        ("{{ token }}: 1", 1, "quotes"),
        ("? [a, b]\n: 1", 1, "for a key"),
        ("a: 1\nb: \x00", 2, "U+0000"),
        ("a: \ud800", 1, "U+D800"),
        (r'a: "\0"', 1, "control character"),
        (r'a: "\ud800"', 1, "control character"),
        ("%YAML 2.0\n---\na: 1", 1, "version 1"),
        ("[" * 10_000, 1, "nesting"),
        ("- " * 10_000, 1, "nesting"),
        ("a: " + "x" * MAX_CHARACTERS, 1, f"{MAX_CHARACTERS} characters"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_line(text: str, line: int, says: str) -> None:
    fault = fault_of(text)
    assert fault.line == line
    assert says in fault.message
    assert fault.message.isprintable()


def test_an_alias_bomb_does_not_go_off() -> None:
    levels = [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)]
    bomb = "a0: &a0 [x, x]\n" + "".join(levels)
    assert "anchor" in fault_of(bomb).message


@pytest.mark.parametrize(
    "text",
    [
        "token: *SECRET",
        "token: &SECRET x",
        "token: !SECRET x",
        "token: !SECRET!x y",
        "token: !<SECRET",
        'token: "SECRET',
        r'token: "\xSECRET"',
        "token SECRET\nb: 1",
        "token: >SECRET\n x",
        "token: [SECRET\nb: 1",
        "token: @SECRET",
        "token: x: SECRET",
        "%SECRET x\n---\n- a\nb: 1",
        "%TAG !SECRET! x\n%TAG !SECRET! x\n---\n",
        "SECRET",
    ],
)
def test_nothing_of_the_text_is_quoted(text: str) -> None:
    _, faults = read_tree(text)
    assert "SECRET" not in "".join(fault.message for fault in faults)


@given(st.text(st.sampled_from("ab:-?[]{}&*!|>'\"%@`#,\n\t \\x0U~1.é\x00\ud800"), max_size=40))
def test_any_text_is_a_tree_or_a_fault(text: str) -> None:
    tree, faults = read_tree(text)
    assert all(1 <= fault.line <= len(text.splitlines()) + 2 for fault in faults)
    assert all(fault.message.isprintable() for fault in faults)
    assert tree is not None or len(faults) <= 1
