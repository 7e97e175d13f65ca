"""Which of its meanings each name in a group has: the one that the others support."""

from collections.abc import Sequence

from jobsteward.discover.understand.atlas.countries import ALSO_TOWNS
from jobsteward.discover.understand.atlas.names import Hit, Meaning

_CODE_COUNTRY_FIRST = frozenset({"DE", "AE", "SG", "IL"})
_NEAR = 4.0


def settle(text: str, group: Sequence[Hit]) -> list[Meaning | None]:
    """One meaning for each name of the group, None where nothing decides between countries.

    A neighbour that agrees on the division counts most ("Vancouver, WA"), then one that
    agrees on the country; alone, the better known meaning counts, and a code or a name
    that several countries share stays open.
    """
    chosen = [_best(text, group, at) for at in range(len(group))]
    return [_corrected(text, group, chosen, at) for at in range(len(group))]


def _best(text: str, group: Sequence[Hit], at: int) -> Meaning | None:
    hit = group[at]
    ranked = sorted(
        (
            (_prior(text, hit, m) + _support(text, group, at, m), -place, m)
            for place, m in enumerate(hit.meanings)
        ),
        key=lambda entry: entry[:2],
        reverse=True,
    )
    score, _, best = ranked[0]
    rivals = [m for value, _, m in ranked if value == score and m.country != best.country]
    if rivals or (best.name == "code" and len(group) == 1 and _open(text, hit)):
        return None
    return best


def _open(text: str, hit: Hit) -> bool:
    """Whether a code with meanings in several countries has no town before it to say which."""
    if len({meaning.country for meaning in hit.meanings}) == 1:
        return False
    before = text[: hit.start].rstrip(" ")
    town = before.rstrip(",").rpartition(",")[2].strip()
    return not (before.endswith(",") and town[:1].isupper() and "remote" not in town.lower())


def _prior(text: str, hit: Hit, meaning: Meaning) -> float:
    if meaning.name == "code" and meaning.kind == "country":
        first = not text[: hit.start].strip(" ([")
        return 1.2 if first or meaning.country in _CODE_COUNTRY_FIRST else 0.5
    if meaning.name == "code":
        return {"US": 1.0, "CA": 0.8}.get(meaning.country or "", 0.3)
    if meaning.kind == "country":
        return 1.0 if meaning.country in ALSO_TOWNS else 3.0
    if meaning.kind == "city":
        return 1.5 if meaning.usual else 0.0
    return 1.0


def _support(text: str, group: Sequence[Hit], at: int, meaning: Meaning) -> float:
    total = 0.0
    for place, other in enumerate(group):
        if place == at or meaning.country is None:
            continue
        countries = {m.country for m in other.meanings}
        if meaning.country not in countries:
            continue
        total += 2.0 if len(countries) == 1 else 1.75 if _usually(meaning, other) else 1.0
        if abs(place - at) == 1 and meaning.division and _agrees(meaning, other):
            total += _NEAR
    return total


def _usually(meaning: Meaning, other: Hit) -> bool:
    """Whether the better known town of a shared name is in the meaning's country."""
    towns = {m.country for m in other.meanings if m.kind == "city" and m.usual}
    return towns == {meaning.country}


def _agrees(meaning: Meaning, other: Hit) -> bool:
    """Whether a city and a division beside it are the same place's."""
    kinds = {"city": ("division",), "division": ("city",)}.get(meaning.kind, ())
    return any(m.kind in kinds and m.division == meaning.division for m in other.meanings)


def _corrected(
    text: str, group: Sequence[Hit], chosen: Sequence[Meaning | None], at: int
) -> Meaning | None:
    """The meaning, or the town of that name in the state or country that follows it."""
    meaning = chosen[at]
    follower = chosen[at + 1] if at + 1 < len(group) else None
    hit = group[at]
    name = text[hit.start : hit.end]
    if follower is not None and _follows(text, group, at):
        if _is_town(hit) and follower.kind == "division" and not _fits(meaning, follower):
            known = meaning and meaning.kind == "city" and meaning.country == follower.country
            same = meaning.name if known and meaning and not meaning.division else name
            return Meaning("city", follower.country, follower.division, same)
        pair = len(group) == 2 and follower.kind == "country" and follower.name != "code"
        if pair and _is_town(hit) and (meaning is None or meaning.country != follower.country):
            return Meaning("city", follower.country, None, name)
    if meaning and meaning.name == "code" and _stray(chosen, at):
        return None
    return meaning


def _is_town(hit: Hit) -> bool:
    return any(
        m.kind == "city" or (m.kind == "country" and m.country in ALSO_TOWNS and m.name != "code")
        for m in hit.meanings
    )


def _follows(text: str, group: Sequence[Hit], at: int) -> bool:
    return text[group[at].end : group[at + 1].start].strip(" .") in {",", ""}


def _fits(meaning: Meaning | None, follower: Meaning) -> bool:
    return meaning is not None and meaning.division == follower.division


def _stray(chosen: Sequence[Meaning | None], at: int) -> bool:
    """Whether a country's code contradicts the town before it: "Munich, BY"."""
    meaning, before = chosen[at], chosen[at - 1] if at else None
    return (
        meaning is not None
        and meaning.kind == "country"
        and before is not None
        and before.kind == "city"
        and before.country != meaning.country
    )
