"""What must be the same before a request may run on an experience.

Similar words can ask for the opposite. Each guard compares a request with one
confirmed utterance and says what differs in a way that changes the act. It
errs towards tripping: a request that trips is assisted instead of executed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from experience_pack.text import guard_words as words
from experience_pack.text import synonym_words as synonyms
from experience_pack.text.reading import (
    Reading,
    Word,
    content_words,
    key_of,
    marks,
    opposites,
    stem_of,
    turning_parts,
)
from experience_pack.text.tokens import is_ideographic

LONGEST = 2_000  # characters; more is a document, and pairs of words grow squarely
MORE_CONTENT = 4  # Chinese characters; one more word is an attribute, two a sentence
ENGLISH_WORD = 2  # Chinese characters that say as much as an English word
_CONJUNCTION = "and|or|&|和|与|以?及|或者?|跟|、"


class Trip(NamedTuple):
    """One reason why a request may not be executed."""

    guard: str
    """Name of the guard, a row of `GUARDS`."""
    detail: str
    """A sentence that names the words."""


def check(
    request: str, exemplars: Sequence[str], *, told: bool = False
) -> tuple[Trip, ...]:
    """Give what keeps a request from running: nothing if one exemplar agrees.

    With `told` something else than words told that they mean the same, so that other
    words alone (`WORDING`) keep nothing, unless they stand around an utterance.

    Otherwise the trips against the exemplar with the fewest. Without exemplars
    nothing vouches for the request, which is then held against an empty text.
    """
    asked = _reading(request)
    read = [_reading(text) for text in exemplars or ("",)]
    found = [_trips(asked, one) for one in read]
    if told and not any(_embeds(asked, one) for one in read):
        found = _but_wording(asked, read, found)
    return min(found, key=len)


def _embeds(request: Reading, exemplar: Reading) -> bool:
    """Tell whether a request has all that an utterance says, and more around it."""
    mine, theirs = set(request.content), set(exemplar.content)
    return theirs < mine


def _but_wording(
    request: Reading, read: Sequence[Reading], found: Sequence[tuple[Trip, ...]]
) -> list[tuple[Trip, ...]]:
    """Give what the nearest utterance finds beside other words.

    Where several are as near the one that finds most counts. An utterance in another
    script is held against all guards, since no other compares its words.
    """
    fewest = min(map(len, found))
    kept: list[tuple[Trip, ...]] = []
    for one, trips in zip(read, found, strict=True):
        if len(trips) == fewest:
            lifted = WORDING if _same_script(request, one) else ()
            kept.append(tuple(trip for trip in trips if trip.guard not in lifted))
    return [max(kept, key=len)]


def _same_script(first: Reading, second: Reading) -> bool:
    sides = [any(map(is_ideographic, one.text)) for one in (first, second)]
    return sides[0] == sides[1]


def _trips(request: Reading, exemplar: Reading) -> tuple[Trip, ...]:
    if request.text == exemplar.text:
        return ()
    if max(len(request.text), len(exemplar.text)) > LONGEST:
        return (Trip("additions", f"more than {LONGEST} characters to compare"),)
    found = ((name, guard(request, exemplar)) for name, guard in GUARDS)
    return tuple(Trip(name, detail) for name, detail in found if detail)


@lru_cache(maxsize=512)
def _reading(text: str) -> Reading:
    return Reading(text)


def _polarity(request: Reading, exemplar: Reading) -> str:
    """Find a word whose opposite stands in its place."""
    gained, lost = _changed(request, exemplar)
    pairs = [(mine, theirs) for mine in gained for theirs in lost]
    pairs += zip(_directions(request)[:1], _directions(exemplar)[:1], strict=False)
    for mine, theirs in pairs:
        if theirs in opposites().get(mine, ()) or _reversed(mine, theirs):
            return (
                f"{request.spelled(mine)} is the opposite of {exemplar.spelled(theirs)}"
            )
    return ""


def _negation(request: Reading, exemplar: Reading) -> str:
    """Compare how often each text takes something back."""
    mine = marks(request.lower, words.NEGATIVE, words.NOT_NEGATIVE)
    theirs = marks(exemplar.lower, words.NEGATIVE, words.NOT_NEGATIVE)
    if len(mine) == len(theirs):
        return ""
    return f"only one of them says {_listed(_unshared(mine, theirs))}"


def _mention(request: Reading, exemplar: Reading) -> str:
    """Find talk about the request: quoted, reported, asked about, or past."""
    hidden = set(content_words(request.quoted)) - set(content_words(request.spoken))
    if quoted := (exemplar.verbs & hidden) - set(content_words(exemplar.quoted)):
        return f"{_listed(map(exemplar.spelled, quoted))} is only quoted"
    return _new_marks(request, exemplar, words.MENTION, words.NOT_MENTION)


def _hypothetical(request: Reading, exemplar: Reading) -> str:
    """Find a condition or a consideration instead of a request."""
    return _new_marks(request, exemplar, words.HYPOTHETICAL, words.NOT_HYPOTHETICAL)


def _numbers(request: Reading, exemplar: Reading) -> str:
    """Compare numbers, and units where both have one."""
    mine, theirs = request.numbers, exemplar.numbers
    if changed := mine.keys() ^ theirs.keys():
        return f"{_listed(changed)} stands in one of them only"
    units = [
        f"{number} {unit} is not {number} {theirs[number]}"
        for number, unit in mine.items()
        if unit and theirs[number] and unit != theirs[number]
    ]
    return ", ".join(units)


def _identifiers(request: Reading, exemplar: Reading) -> str:
    """Compare flags, paths, addresses and code names, letter by letter."""
    changed = request.identifiers ^ exemplar.identifiers
    return f"{_listed(changed)} stands in one of them only" if changed else ""


def _dates(request: Reading, exemplar: Reading) -> str:
    """Compare dates, times and periods, however they are written."""
    changed = request.dates ^ exemplar.dates
    return f"the dates differ: {_listed(changed)}" if changed else ""


def _swapped(request: Reading, exemplar: Reading) -> str:
    """Find two words that have changed places."""
    mine, theirs = _once(request.frame), _once(exemplar.frame)
    shared = [word for word in theirs if word in mine]
    order = {word: at for at, word in enumerate(mine)}
    moved = Counter(mine.values()) != Counter(theirs.values())
    for first, second in combinations(shared, 2):
        before = theirs[first], theirs[second]
        after = mine[first], mine[second]
        exchanged = before == after[::-1] and before != after
        turned = order[first] > order[second] and (
            _turned(before, after, moved=moved)
            or (is_ideographic(first[0]) and mine.keys() == theirs.keys() and moved)
        )
        if exchanged or (turned and not _joined(request, first, second)):
            return f"{first} and {second} have changed places"
    return _rearranged(request, exemplar) if mine.keys() != theirs.keys() else ""


def _rearranged(request: Reading, exemplar: Reading) -> str:
    """Find the same Chinese characters in another order, where words are unknown."""
    mine, theirs = (
        "".join(word.text for word in reading.frame if not word.text.isascii())
        for reading in (request, exemplar)
    )
    if mine == theirs or sorted(mine) != sorted(theirs):
        return ""
    return f"{theirs} has become {mine}"


def _turned(before: tuple[str, str], after: tuple[str, str], *, moved: bool) -> bool:
    """Tell whether only their order gave two words their parts, and it changed."""
    return before == after and before[0] == before[1] and not moved


def _names(request: Reading, exemplar: Reading) -> str:
    """Find a thing or a person in the place of another one."""
    for gained, lost in _replaced(request, exemplar):
        return f"{request.spelled(gained)} stands for {exemplar.spelled(lost)}"
    return ""


def _additions(request: Reading, exemplar: Reading) -> str:
    """Find more content than was confirmed: the words may serve another end."""
    known = {*exemplar.content, *_light_verbs()}
    more = [word for word in request.content if word not in known]
    less = [word for word in exemplar.content if word not in request.content]
    first = exemplar.content[0] if exemplar.content else ""
    led = first in request.content and request.content[0] in more
    if not led and _size(more) - _size(less) < MORE_CONTENT:
        return ""
    return f"it says more: {_listed(map(request.spelled, more))}"


def _untold(request: Reading, exemplar: Reading) -> str:
    """Find two texts without a word in common, as in two languages.

    Every other guard compares words; where none is shared, none of them can tell.
    """
    if set(request.content) & set(exemplar.content):
        return ""
    return "they share no word that could be compared"


GUARDS: tuple[tuple[str, Callable[[Reading, Reading], str]], ...] = (
    ("polarity", _polarity),
    ("negation", _negation),
    ("mention", _mention),
    ("hypothetical", _hypothetical),
    ("numbers", _numbers),
    ("identifiers", _identifiers),
    ("dates", _dates),
    ("swapped", _swapped),
    ("names", _names),
    ("additions", _additions),
    ("language", _untold),
)
"""The guards in the order in which they are reported."""

WORDING = ("additions", "language")
"""Guards that only find other words, not another number, name, sense or order."""


def _replaced(request: Reading, exemplar: Reading) -> Iterator[tuple[str, str]]:
    """Give (new, old) for contrasts, capitalised names and lone changed words."""
    for kind in _contrasts():
        sides, others = _side(kind, request), _side(kind, exemplar)
        if sides and others and sides != others:
            yield _listed(sides), _listed(others)
    gained, lost = request.names - exemplar.names, exemplar.names - request.names
    if gained and lost:
        yield _listed(gained), _listed(lost)
    mine, theirs = set(request.content), set(exemplar.content)
    if len(mine - theirs) == len(theirs - mine) == 1:
        (new,), (old,) = mine - theirs, theirs - mine
        framed = is_ideographic(new[0]) and (new[0] == old[0] or new[-1] == old[-1])
        if (mine & theirs or framed) and not _alike(new, old):
            yield new, old


@lru_cache(maxsize=1)
def _contrasts() -> tuple[dict[str, str], ...]:
    """Give for each kind its members, each with one name for the same thing."""
    return tuple(
        {key_of(word): min(side) for side in kind for word in side}
        for kind in synonyms.CONTRASTS
    )


def _side(kind: dict[str, str], reading: Reading) -> set[str]:
    """Give the things of a kind that a text names."""
    return {
        name
        for word, name in kind.items()
        if (word in reading.stems if word.isascii() else word in reading.lower)
    }


def _alike(first: str, second: str) -> bool:
    """Tell whether two words may mean the same: synonym, abbreviation, part."""
    if _abbreviates(*sorted((first, second), key=len)):
        return True
    if {first, second} & _light_verbs():
        return True
    return any({first, second} <= side for side in _like())


def _abbreviates(short: str, long: str) -> bool:
    """Tell whether one begins the other; one letter more may be another name."""
    more = len(long) - len(short)
    return long.startswith(short) and not (more == 1 and long.isascii())


@lru_cache(maxsize=1)
def _like() -> tuple[frozenset[str], ...]:
    rows = (*synonyms.SYNONYMS, *words.OPPOSITES)
    return tuple(frozenset(map(key_of, side)) for row in rows for side in row)


@lru_cache(maxsize=1)
def _light_verbs() -> frozenset[str]:
    return frozenset(map(stem_of, synonyms.LIGHT_VERBS))


def _joined(reading: Reading, first: str, second: str) -> bool:
    """Tell whether nothing or a conjunction lies between two nouns: A and B."""
    one, other = re.escape(first), re.escape(second)
    between = rf"[a-z']*\s*(?:,|{_CONJUNCTION})?\s*(?:the\s|my\s)?"
    pattern = f"{one}{between}{other}|{other}{between}{one}"
    return re.search(pattern, reading.lower) is not None


def _changed(request: Reading, exemplar: Reading) -> tuple[list[str], list[str]]:
    """Give what each of two texts says more often: English stems, Chinese parts."""
    mine = request.stems + turning_parts(request.lower)
    theirs = exemplar.stems + turning_parts(exemplar.lower)
    return list(mine - theirs), list(theirs - mine)


def _directions(reading: Reading) -> list[str]:
    """Give the words that have an opposite, in order."""
    known = opposites()
    english = [stem for stem in reading.stems if stem in known]
    return english or list(turning_parts(reading.lower))


def _reversed(first: str, second: str) -> bool:
    """Tell whether a prefix alone turns one English word into the other."""
    long, short = sorted((first, second), key=len, reverse=True)
    return len(short) > 3 and long.removesuffix(short) in words.REVERSING_PREFIXES


def _new_marks(request: Reading, exemplar: Reading, table: str, harmless: str) -> str:
    mine = marks(request.spoken, table, harmless)
    theirs = marks(exemplar.spoken, table, harmless)
    new = Counter(mine) - Counter(theirs)
    return f"it says {_listed(new)}" if new else ""


def _unshared(first: Iterable[str], second: Iterable[str]) -> set[str]:
    mine, theirs = Counter(first), Counter(second)
    return set((mine - theirs) + (theirs - mine))


def _listed(found: Iterable[str]) -> str:
    return ", ".join(sorted(found))


def _size(content: Iterable[str]) -> int:
    """Measure content in Chinese characters."""
    return sum(ENGLISH_WORD if word.isascii() else len(word) for word in content)


def _once(frame: list[Word]) -> dict[str, str]:
    """Give the role of each word that stands once."""
    times = Counter(word.text for word in frame)
    return {word.text: word.role for word in frame if times[word.text] == 1}
