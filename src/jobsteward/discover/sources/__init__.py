"""Every job source there is, by provider name. A new source is a file and a line here."""

from jobsteward.discover.source import Source
from jobsteward.discover.sources.ashby import Ashby
from jobsteward.discover.sources.greenhouse import Greenhouse
from jobsteward.discover.sources.lever import Lever

SOURCES: dict[str, Source] = {source.name: source for source in (Greenhouse(), Lever(), Ashby())}
