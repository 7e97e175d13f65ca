"""Schema changes, one file each, up and down."""
