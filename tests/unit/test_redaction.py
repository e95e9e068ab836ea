"""Secrets are taken out before anything is written; what only looks alike stays."""

from __future__ import annotations

import json
import lzma
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from experience_pack.runtime.audit import INPUT_CHARS, kept_input, kept_whole
from experience_pack.text.redaction import redact, redact_values

FIXTURES = Path(__file__).parents[1] / "fixtures/redaction"
SHARED = Path("/work/shared/data/secrets.jsonl.xz")

IDENTIFIERS = ("np.arn", "np.s3", "np.gcs", "np.aws.3")
"""Rules of that file that find names of things, no secret to be found."""

LEAST_ROWS = 20
LEAST_SHARE = 0.9

Rows = list[tuple[str, bool]]


def phenomena() -> dict[str, Rows]:
    """Read the rows by phenomenon: the text, and whether it is a hit."""
    found: dict[str, Rows] = defaultdict(list)
    lines = (FIXTURES / "phenomena.tsv").read_text("utf-8").splitlines()[1:]
    for line in lines:
        name, _, kind, text = line.split("\t")
        plain = text.replace("¦", "").replace("\\n", "\n").replace("\\\\", "\\")
        found[name].append((plain, kind == "hit"))
    return found


ROWS = [text for rows in phenomena().values() for text, _ in rows]


@pytest.mark.parametrize("name", phenomena())
def test_a_phenomenon_is_found_and_its_twin_is_left_alone(name: str) -> None:
    rows = phenomena()[name]
    missed = [text for text, hit in rows if hit and not redact(text).found]
    wrong = [text for text, hit in rows if not hit and redact(text).found]
    hits = sum(hit for _, hit in rows)
    assert min(hits, len(rows) - hits) >= LEAST_ROWS
    assert len(missed) <= (1 - LEAST_SHARE) * hits, missed
    assert len(wrong) <= (1 - LEAST_SHARE) * (len(rows) - hits), wrong


@pytest.mark.parametrize("text", ROWS)
def test_a_redacted_text_is_left_as_it_is(text: str) -> None:
    once = redact(text).text
    assert redact(once) == (once, ())


@pytest.mark.parametrize("text", ROWS)
def test_findings_say_what_was_replaced(text: str) -> None:
    rest = redact(text)
    for one in reversed(rest.found):
        text = f"{text[: one.start]}‹{one.rule}›{text[one.end :]}"
    assert text == rest.text


def test_what_stands_around_a_secret_stays_readable() -> None:
    found = redact('password = "Tr0ub4dor&3" # 登录 https://bob:s3cretpw@db.local/x')
    assert found.text == (
        'password = "‹secret:password›" # 登录 '
        "https://bob:‹secret:url password›@db.local/x"
    )


def test_a_value_is_judged_beside_its_name() -> None:
    given = {"password": "Tr0ub4dor&3", "steps": ["a", {"n": 3}], "key": None}
    assert redact_values(given) == {**given, "password": "‹secret:password›"}


def test_a_request_is_kept_without_its_secret_and_known_as_changed() -> None:
    text = "password=Tr0ub4dor33 登录失败"
    kept = kept_input(text)
    assert kept == "password=‹secret:password› 登录失败"
    assert not kept_whole(kept, len(text))
    assert kept_whole(kept_input("整理文档"), 4)


def test_a_secret_across_the_cut_of_a_request_leaves_nothing() -> None:
    secret = "Tr0ub4dor33Tr0ub4dor44"
    kept = kept_input("a " * (INPUT_CHARS // 2 - 8) + f"password={secret}" + " b" * 99)
    assert secret[:6] not in kept
    assert len(kept) <= INPUT_CHARS


@pytest.mark.parametrize(
    "seed", ["a", "pwd=", "eyJ", "-ghp_", "://a:", "-----BEGIN ", "/home/a"]
)
def test_a_long_run_of_beginnings_is_redacted_at_once(seed: str) -> None:
    text = seed * (65_536 // len(seed))
    assert redact(redact(text).text).found == ()


def shared() -> list[dict[str, str]]:
    if not SHARED.is_file():
        pytest.skip(f"no {SHARED}: rows of other scanners are not in the repository")
    with lzma.open(SHARED, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        one
        for one in rows
        if one["kind"] == "neg" or not one["rule"].startswith(IDENTIFIERS)
    ]


def test_secrets_of_other_scanners_are_found(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = Counter((one["src"], one["kind"]) for one in shared())
    found = Counter(
        (one["src"], one["kind"])
        for one in shared()
        if any(hit.rule.startswith("secret:") for hit in redact(one["text"]).found)
    )
    with capsys.disabled():
        print()  # noqa: T201 - the counts are to be seen
        for key, number in sorted(rows.items()):
            print(*key, f"{found[key]} of {number}")  # noqa: T201
    assert found["noseyparker", "pos"] >= 0.95 * rows["noseyparker", "pos"]
    assert found["gitleaks", "pos"] >= 0.90 * rows["gitleaks", "pos"]
    for source in ("noseyparker", "gitleaks"):
        assert found[source, "neg"] <= 0.20 * rows[source, "neg"]
