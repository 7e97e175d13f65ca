"""Everything that one posting says, read in one go."""

from datetime import datetime, tzinfo

from jobsteward.discover.model import Posting
from jobsteward.discover.understand.dates import read_date
from jobsteward.discover.understand.hidden import hidden_flags
from jobsteward.discover.understand.language import read_language
from jobsteward.discover.understand.model import Understanding
from jobsteward.discover.understand.pay_text import read_pay
from jobsteward.discover.understand.places import read_places
from jobsteward.discover.understand.remote import read_remote
from jobsteward.discover.understand.requirements import read_requirements
from jobsteward.discover.understand.titles import read_title


def understand(posting: Posting, *, now: datetime, zone: tzinfo | None = None) -> Understanding:
    """What a posting says, each value with the span or field that says it.

    Pure: the same posting and moment give the same answer. ``zone`` is the source's time
    zone for dates that name none. What nothing states stays unknown (DIS-7).
    """
    places = read_places(posting.locations, posting.description, posting.title)
    text = posting.description
    return Understanding(
        title=read_title(posting.title, posting.employment_type, text),
        places=places,
        remote=read_remote(posting.workplace, posting.locations, posting.title, text),
        pay=read_pay(posting.pay, text, posting.title, places.countries),
        posted=read_date(posting.posted_at, now=now, zone=zone),
        requirements=read_requirements(text),
        language=read_language(text or posting.title),
        flags=hidden_flags(text),
    )
