"""Places: countries, regions, cities, zones and exclusions of a posting (P004, P007)."""

import pytest

from jobsteward.discover.understand.model import Place
from jobsteward.discover.understand.places import read_places


def shown(place: Place) -> str:
    return "/".join(filter(None, (place.country, (place.division or "")[3:], place.city))) or str(
        place.region
    )


CASES = {
    # one place, in every order and spelling
    "Rivertown, TX 75001": "US/TX/Rivertown",
    "Austin TX": "US/TX/Austin",
    "atlanta, ga": "US/GA/Atlanta",
    "US, CA, Santa Clara": "US/CA/Santa Clara",
    "USA - TX - Austin": "US/TX/Austin",
    "DE-Munich": "DE/Munich",
    "Wien, Österreich": "AT/Vienna",
    "Köln": "DE/Cologne",
    "Warszawa, Polska": "PL/Warsaw",
    "東京都": "JP/13",
    "서울": "KR/Seoul",
    "SF Bay Area": "US/CA/San Francisco",
    "Washington, D.C.": "US/DC/Washington, D.C.",
    "Zürich, ZH": "CH/Zurich",
    # codes that two countries share are settled by what stands beside them
    "Vancouver, WA": "US/WA/Vancouver",
    "Vancouver, CA": "CA/BC/Vancouver",
    "Perth, WA": "AU/WA/Perth",
    "Chennai, TN, India": "IN/TN/Chennai",
    "IN - Bangalore, India": "IN/KA/Bangalore",
    "Fishers, IN": "US/IN/Fishers",
    "Toronto, ON, CA": "CA/ON/Toronto",
    "Ulm, DE": "DE/Ulm",
    "Wilmington, DE": "US/DE/Wilmington",
    "Eindhoven, NL, Netherlands": "NL/Eindhoven",
    "Dubai, AE": "AE/Dubai",
    "APO, AE": "US/AE/APO",
    # a town's name that is better known elsewhere
    "Paris, TX": "US/TX/Paris",
    "London, ON": "CA/ON/London",
    "Lebanon, NH": "US/NH/Lebanon",
    "Dublin, CA": "US/CA/Dublin",
    "Valencia, Venezuela": "VE/Valencia",
    "Georgia, United States": "US/GA",
    "Batumi, Georgia": "GE/Batumi",
    "Atlanta, Georgia": "US/GA/Atlanta",
    "New Brunswick, New Jersey, United States": "US/NJ/New Brunswick",
    "Saint-Barthélemy-d'Anjou, Pays de la Loire, France": "FR/PDL/Saint-Barthélemy-d'Anjou",
    # several places
    "London or Berlin": "GB/London DE/Berlin",
    "Portland, OR or Seattle, WA": "US/OR/Portland US/WA/Seattle",
    "US & Canada": "US CA",
    "Netherlands / Belgium": "NL BE",
    "Barcelona (Spain), Lisbon (Portugal)": "ES/Barcelona PT/Lisbon",
    "EMEA - Remote (UK, Germany)": "emea GB DE",
    "LATAM": "latam",
    "Southeast Asia": "south_east_asia",
    "East Coast": "US",
}


@pytest.mark.parametrize("text", CASES)
def test_a_location_text_is_read(text: str) -> None:
    assert " ".join(map(shown, read_places([text]).places)) == CASES[text]


@pytest.mark.parametrize(
    "text",
    ["Remote", "Hybrid", "In-Office", "Remote - IN", "Remote on-site", "2 Locations", "N/A", "",
     "Georgia", "Cambridge", "Birmingham", "Remote, CA", "Télétravail"],
)  # fmt: skip
def test_what_says_no_place_stays_unknown(text: str) -> None:
    """P007: a bare "Remote" is not worldwide; an open name is not guessed."""
    places = read_places([text])
    assert not places.known
    assert places.admits("US") == "unknown"


def test_two_countries_with_a_time_zone() -> None:
    """P004."""
    places = read_places(["Remote in the United States or Canada (East Coast/ET)"])
    assert places.countries == ("US", "CA")
    assert places.zones == ("America/New_York",)
    assert places.admits("US") == places.admits("CA") == "yes"
    assert places.admits("MX") == "no"
    assert read_places(["US/Canada - ET hours"]).zones == ("America/New_York",)
    assert read_places(["North America"]).admits("CA") == "yes"


def test_a_title_names_the_country_that_the_field_does_not() -> None:
    """P007."""
    places = read_places(["Remote"], None, "Account Manager [Remote-US]")
    assert places.countries == ("US",)
    assert places.places[0].span.field == "title"
    assert not read_places(["Remote"], None, "Engineer, Mobile").known
    assert read_places([""], None, "Backend Engineer, Romania (m/f/d)").countries == ("RO",)


@pytest.mark.parametrize("text", ["Anywhere", "Worldwide", "Remote (Worldwide)", "Global - Remote"])
def test_only_words_for_the_whole_world_mean_it(text: str) -> None:
    assert read_places([text]).admits("JP") == "yes"


def test_anywhere_in_a_country_is_that_country() -> None:
    places = read_places(["Remote (Anywhere in the US)"])
    assert places.worldwide is None
    assert places.countries == ("US",)


def test_exclusions_are_kept_apart() -> None:
    places = read_places(["Remote within Europe, not available in Germany"])
    assert places.regions == ("europe",)
    assert (places.admits("DE"), places.admits("FR"), places.admits("US")) == ("no", "yes", "no")
    assert read_places(["Anywhere except US"]).admits("US") == "no"
    assert read_places(["Remote, US (excluding California)"]).admits("US") == "yes"


def test_zones_and_distances_from_utc() -> None:
    assert read_places(["Europe (CET +/- 2h)"]).zones == ("Europe/Berlin",)
    assert read_places(["UTC-5 to UTC+1"]).zones == ("UTC-05:00", "UTC+01:00")
    assert read_places(["Hartford, CT"]).zones == ()


def test_a_description_binds_only_by_its_words() -> None:
    text = "Our customers are in Japan. You must be based in Spain or Portugal for payroll."
    places = read_places([], text)
    assert places.countries == ("ES", "PT")
    span = places.places[0].span
    assert text[span.start : span.end] == span.text == "Spain"
    assert not read_places([], "We have offices in Paris and Rome.").known


def test_suburbs_belong_to_their_metropolis() -> None:
    assert read_places(["Laval, Québec"]).metros == ("Montreal",)
    assert read_places(["Kirkland, QC"]).metros == ("Montreal",)
    assert read_places(["Kirkland, WA"]).metros == ("Seattle",)


def test_decomposed_letters_and_odd_dashes_are_the_same_place() -> None:
    """J04."""
    assert read_places(["Montre\u0301al"]).cities == ("Montreal",)
    assert read_places(["Remote\u2011US"]).countries == ("US",)
