"""The jobsteward library: domain rules, storage and the typed API client."""

__version__ = "0.1.0.dev0"
