"""Names of places: countries, their parts, cities, regions and time zones."""
