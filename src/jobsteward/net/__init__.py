"""The only way out to the web: one fetcher that refuses private addresses and caps everything.

``urls`` says which URLs may be asked for, ``addresses`` which addresses may be dialled,
``connect`` holds each connection to an address that was checked, ``body`` unpacks within a
cap, and ``outbound`` is the client that callers use (SEC-3).
"""

from jobsteward.net.outbound import Fetched, Outbound, retry_after
from jobsteward.net.urls import WebUrl, check_url

__all__ = ["Fetched", "Outbound", "WebUrl", "check_url", "retry_after"]
