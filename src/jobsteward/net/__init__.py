"""The only way out to the web: one fetcher that refuses private addresses and caps everything.

``urls`` says which URLs may be asked for, ``addresses`` which addresses may be dialled,
``connect`` holds each connection to an address that was checked, ``body`` unpacks within a
cap, and ``outbound`` is the client that callers use (SEC-3). ``robots``, ``hosts`` and
``manners`` keep it polite: what may be read, how often, and when to stay away (DIS-11).
"""

from jobsteward.net.answers import Fetched, retry_after
from jobsteward.net.hosts import HostRecords, HostState, MemoryHostRecords, Pace
from jobsteward.net.manners import Manners
from jobsteward.net.outbound import Outbound
from jobsteward.net.urls import WebUrl, check_url

__all__ = [
    "Fetched",
    "HostRecords",
    "HostState",
    "Manners",
    "MemoryHostRecords",
    "Outbound",
    "Pace",
    "WebUrl",
    "check_url",
    "retry_after",
]
