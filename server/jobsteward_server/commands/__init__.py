"""The subcommands of ``jobsteward``, one module each, imported only when called."""
