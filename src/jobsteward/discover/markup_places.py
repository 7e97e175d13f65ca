"""Places out of schema.org's Place, PostalAddress, Country and plain words."""

from collections.abc import Sequence
from typing import Any

from jobsteward.discover.markup_text import every_words, field, first_words

_MAX_PLACES = 400
_ADDRESS = ("addressLocality", "addressRegion", "addressCountry")
_NOTHING = frozenset(
    {"", "-", "--", ".", "n/a", "na", "none", "null", "nil", "unavailable", "undefined",
     "unknown", "not specified", "not available", "tbd", "xx"}
)  # fmt: skip


def job_places(value: Any) -> tuple[str, ...]:
    """The work places, one line each: town, region and country as far as they are stated.

    A place's own name stands in where it has no address, and where one address is
    repeated under several names, which is a page's mistake and not one place.
    """
    stated = (value if isinstance(value, list) else [value])[:_MAX_PLACES]
    addresses = [_address(place) for place in stated]
    names = [_name(place) for place in stated]
    given = [address for address in addresses if address]
    repeated = len(set(given)) < len(given) and len({name for name in names if name}) > 1
    if repeated:
        addresses = [name or address for name, address in zip(names, addresses, strict=True)]
    lines = [address or name for address, name in zip(addresses, names, strict=True)]
    return tuple(dict.fromkeys(line for line in lines if line))


def applicant_places(value: Any) -> tuple[str, ...]:
    """Where applicants may live, by the names of countries, states and regions."""
    stated = (value if isinstance(value, list) else [value])[:_MAX_PLACES]
    lines = [_name(place) or _address(place) for place in stated]
    return tuple(dict.fromkeys(line for line in lines if line))


def is_virtual(value: Any) -> bool:
    """Whether a place is declared to be none: ``VirtualLocation``."""
    stated = value if isinstance(value, list) else [value]
    kinds = [field(place, "@type") for place in stated if isinstance(place, dict)]
    return any("VirtualLocation" in every_words(kind) for kind in kinds)


def _address(place: Any) -> str | None:
    if not isinstance(place, dict):
        return None
    address = field(place, "address")
    address = address[0] if isinstance(address, list) and address else address
    if isinstance(address, str):
        return _line([first_words(address)])
    holder = address if isinstance(address, dict) else place
    return _line([first_words(field(holder, name)) for name in _ADDRESS])


def _name(place: Any) -> str | None:
    return _line([first_words(field(place, "name") if isinstance(place, dict) else place)])


def _line(parts: Sequence[str | None]) -> str | None:
    said = [part for part in parts if part and part.lower() not in _NOTHING]
    return ", ".join(dict.fromkeys(said))[:300] or None
