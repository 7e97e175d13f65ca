"""Every job source there is, by provider name. A new source is a file and a line here."""

from jobsteward.discover.source import Source
from jobsteward.discover.sources.adzuna import Adzuna
from jobsteward.discover.sources.arbeitnow import Arbeitnow
from jobsteward.discover.sources.ashby import Ashby
from jobsteward.discover.sources.bamboohr import BambooHr
from jobsteward.discover.sources.breezy import Breezy
from jobsteward.discover.sources.greenhouse import Greenhouse
from jobsteward.discover.sources.hackernews import HackerNews
from jobsteward.discover.sources.himalayas import Himalayas
from jobsteward.discover.sources.jobposting_page import JobPostingPage
from jobsteward.discover.sources.lever import Lever
from jobsteward.discover.sources.personio import Personio
from jobsteward.discover.sources.pinpoint import Pinpoint
from jobsteward.discover.sources.recruitee import Recruitee
from jobsteward.discover.sources.remoteok import RemoteOk
from jobsteward.discover.sources.remotive import Remotive
from jobsteward.discover.sources.rippling import Rippling
from jobsteward.discover.sources.smartrecruiters import SmartRecruiters
from jobsteward.discover.sources.teamtailor import Teamtailor
from jobsteward.discover.sources.usajobs import UsaJobs
from jobsteward.discover.sources.weworkremotely import WeWorkRemotely
from jobsteward.discover.sources.workable import Workable
from jobsteward.discover.sources.workday import Workday

_ALL: tuple[Source, ...] = (
    Greenhouse(),
    Lever(),
    Ashby(),
    Workday(),
    SmartRecruiters(),
    Workable(),
    Recruitee(),
    Personio(),
    Teamtailor(),
    BambooHr(),
    Breezy(),
    Pinpoint(),
    Rippling(),
    RemoteOk(),
    Remotive(),
    Arbeitnow(),
    Himalayas(),
    WeWorkRemotely(),
    HackerNews(),
    Adzuna(),
    UsaJobs(),
    JobPostingPage(),
)

SOURCES: dict[str, Source] = {source.name: source for source in _ALL}
