"""Regions wider than a country, areas inside one, and words for the whole world."""

from jobsteward.discover.understand.atlas.tables import table_rows

_EU = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"
_EUROPE = f"{_EU} GB CH NO IS LI MC AD AL BA BY MD ME MK RS UA XK GG JE IM GI FO RU TR"
_MIDDLE_EAST = "AE BH CY EG IL IQ IR JO KW LB OM PS QA SA SY TR YE"
_AFRICA = (
    "AO BF BI BJ BW CD CG CI CM CV DJ DZ EG ET GH KE LY MA MG ML MU MW MZ NA NE NG RW SD SN SO "
    "TN TZ UG ZA ZM ZW"
)
_SOUTH_EAST_ASIA = "BN ID KH LA MM MY PH SG TH VN"
_SOUTH_ASIA = "AF BD BT IN LK MV NP PK"
_EAST_ASIA = "CN HK JP KP KR MN MO TW"
_OCEANIA = "AU NZ FJ PG"
_SOUTH_AMERICA = "AR BO BR CL CO EC GY PE PY SR UY VE"
_CENTRAL_AMERICA = "BZ CR GT HN NI PA SV"
_CARIBBEAN = "AG BB BM BS CU DO HT JM KY PR TT"
_ASIA = f"{_SOUTH_EAST_ASIA} {_SOUTH_ASIA} {_EAST_ASIA} KZ KG TJ TM UZ AM AZ GE {_MIDDLE_EAST}"
_NORTH_AMERICA = "US CA"
_LATIN = f"MX {_CENTRAL_AMERICA} {_SOUTH_AMERICA} CU DO PR HT"

_REGIONS = {
    "europe": (_EUROPE, "Europe|Europa|European|pan-European|Europe-wide"),
    "eu": (_EU, "EU|European Union|E.U.|EU countries|Union européenne|Europäische Union"),
    "eea": (f"{_EU} NO IS LI", "EEA|European Economic Area|EU/EEA"),
    "western_europe": (
        "AT BE CH DE DK ES FI FR GB IE IS IT LU NL NO PT SE",
        "Western Europe|West Europe|Northern Europe|Southern Europe",
    ),
    "cee": (
        "AL BA BG BY CZ EE HR HU LT LV MD ME MK PL RO RS SI SK UA XK",
        "CEE|Central and Eastern Europe|Eastern Europe|Central Europe|Osteuropa",
    ),
    "dach": ("DE AT CH", "DACH|D-A-CH|DACH region|German-speaking Europe"),
    "nordics": ("DK FI IS NO SE", "Nordics|Nordic|Scandinavia|Nordic countries"),
    "baltics": ("EE LT LV", "Baltics|Baltic states"),
    "benelux": ("BE NL LU", "Benelux"),
    "iberia": ("ES PT", "Iberia"),
    "balkans": ("AL BA BG HR ME MK RS SI XK", "Balkans"),
    "uki": ("GB IE", "UKI|UK&I|British Isles"),
    "emea": (f"{_EUROPE} {_MIDDLE_EAST} {_AFRICA}", "EMEA|EMEIA|Europe, Middle East and Africa"),
    "middle_east": (_MIDDLE_EAST, "Middle East|Naher Osten"),
    "mena": (f"{_MIDDLE_EAST} DZ LY MA TN", "MENA|Middle East and North Africa"),
    "gcc": ("AE BH KW OM QA SA", "GCC"),
    "africa": (_AFRICA, "Africa|Afrika|Afrique|Sub-Saharan Africa|West Africa|East Africa"),
    "asia": (_ASIA, "Asia|Asien|Asie"),
    "apac": (
        f"{_SOUTH_EAST_ASIA} {_SOUTH_ASIA} {_EAST_ASIA} {_OCEANIA}",
        "APAC|APJ|JAPAC|Asia Pacific|Asia/Pacific|Asia & Pacific|Asia and Pacific"
        "|Asia-Pac|AsiaPac|APJC",
    ),
    "south_east_asia": (_SOUTH_EAST_ASIA, "Southeast Asia|South East Asia|SEA region|ASEAN"),
    "south_asia": (_SOUTH_ASIA, "South Asia"),
    "east_asia": (_EAST_ASIA, "East Asia|Greater China"),
    "oceania": (_OCEANIA, "Oceania|Australasia"),
    "anz": ("AU NZ", "ANZ"),
    "north_america": (_NORTH_AMERICA, "North America|Northern America|NAMER|NORAM|NOAM|N. America"),
    "latam": (
        _LATIN,
        "LATAM|Latin America|Latinoamérica|América Latina|LAC|Latin America and the Caribbean",
    ),
    "south_america": (_SOUTH_AMERICA, "South America|Sudamérica|América do Sul"),
    "central_america": (_CENTRAL_AMERICA, "Central America|Centroamérica"),
    "caribbean": (_CARIBBEAN, "Caribbean"),
    "americas": (f"{_NORTH_AMERICA} {_LATIN} {_CARIBBEAN}", "Americas|The Americas|AMER"),
    "cis": ("AM AZ BY KG KZ MD RU TJ UZ", "CIS"),
}

MEMBERS: dict[str, frozenset[str]] = {
    name: frozenset(members.split()) for name, (members, _) in _REGIONS.items()
}
"""Region → the countries in it (ISO 3166-1 alpha-2)."""
REGION_NAMES: dict[str, str] = {
    alias: name for name, (_, names) in _REGIONS.items() for alias in names.split("|")
}
"""A region's name → the region."""

_AREAS = """
US East Coast|Eastern US|Eastern United States|Eastern Seaboard=America/New_York
US West Coast|Western US|Western United States|Pacific Northwest|PNW=America/Los_Angeles
US Midwest|Mid-West|Central US|Central United States|Midwestern US=America/Chicago
US Northeast|North East US|New England|Mid-Atlantic|Tri-State Area|Tristate|NY Metro|
  Eastern Region=America/New_York
US Southeast|South East US|Southeastern US|Deep South=America/New_York
US Southwest|South West US|Rocky Mountains|Mountain West|Northwest|Continental US|
  Continental United States|CONUS|Contiguous US|Lower 48|Gulf Coast|Great Lakes|Sun Belt|
  US Remote|Nationwide US|DMV=
CA Western Canada|Eastern Canada|Atlantic Canada|Maritimes|Canadian Prairies=
GB North West England|South East England|South West England|North East England|the Midlands|
  Greater London Area=
DE Ruhr|Ruhrgebiet|Rhein-Main|Rhine-Main|Rhein-Neckar|Süddeutschland|Norddeutschland=
"""
AREAS: dict[str, tuple[str, str]] = {}
"""An area's name → its country and the IANA time zone where it lies in one, else ""."""
for _row in table_rows(_AREAS):
    _names, _, _zone = _row[3:].partition("=")
    AREAS.update(dict.fromkeys(_names.split("|"), (_row[:2], _zone)))

WORLDWIDE = [
    "Worldwide",
    "World-wide",
    "World wide",
    "Anywhere in the world",
    "Anywhere",
    "Global",
    "Globally",
    "Fully distributed worldwide",
    "Work from anywhere",
    "International",
    "Earth",
    "Planet Earth",
    "Weltweit",
    "Monde entier",
    "Partout dans le monde",
    "Cualquier lugar",
    "Todo el mundo",
    "Qualquer lugar",
    "Any location",
    "All locations worldwide",
    "Location independent",
    "Everywhere",
    "Any country",
]
"""Words that leave no country out; a bare "Remote" is not one of them (P007)."""
