"""Words every room shares: errors, events, ids, canonical JSON, time. No I/O."""
