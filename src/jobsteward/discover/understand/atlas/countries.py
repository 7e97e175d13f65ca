"""Countries by ISO 3166-1 code, with the names that postings use for them."""

from jobsteward.discover.understand.atlas.tables import table_rows

_NAMES = """
AD Andorra
AE United Arab Emirates|UAE|U.A.E.|Emirates|Vereinigte Arabische Emirate|Emiratos Arabes Unidos
AF Afghanistan
AG Antigua and Barbuda|Antigua & Barbuda
AL Albania|Albanien|Albanie
AM Armenia|Armenien
AO Angola
AR Argentina|Argentinien|Argentine
AT Austria|Österreich|Autriche|Oostenrijk|Rakousko
AU Australia|Australien|Australie
AZ Azerbaijan
BA Bosnia and Herzegovina|Bosnia & Herzegovina|Bosnia|Bosnia-Herzegovina
BB Barbados
BD Bangladesh
BE Belgium|Belgien|Belgique|België|Belgica
BF Burkina Faso
BG Bulgaria|Bulgarien|Bulgarie
BH Bahrain
BI Burundi
BJ Benin
BM Bermuda
BN Brunei
BO Bolivia
BR Brazil|Brasil|Brasilien|Brésil
BS Bahamas|The Bahamas
BT Bhutan
BW Botswana
BY Belarus
BZ Belize
CA Canada|Kanada
CD Democratic Republic of the Congo|DR Congo|DRC
CG Republic of the Congo
CH Switzerland|Schweiz|Suisse|Svizzera|Suiza|Die Schweiz
CI Ivory Coast|Côte d'Ivoire|Cote d Ivoire
CL Chile
CM Cameroon|Cameroun
CN China|P.R. China|PR China|PRC|People's Republic of China|Mainland China|中国
CO Colombia|Kolumbien|Colombie
CR Costa Rica
CU Cuba
CV Cape Verde|Cabo Verde
CY Cyprus|Zypern|Chypre
CZ Czech Republic|Czechia|Czech Rep|Česká republika|Česko|Tschechien|Tschechische Republik|
  République tchèque
DE Germany|Deutschland|Allemagne|Alemania|Germania|Duitsland|Niemcy|Alemanha|
  Federal Republic of Germany
DJ Djibouti
DK Denmark|Danmark|Dänemark|Danemark|Dinamarca
DO Dominican Republic|República Dominicana
DZ Algeria|Algérie
EC Ecuador
EE Estonia|Estland|Eesti|Estonie
EG Egypt|Ägypten|Égypte|Egipto
ES Spain|España|Spanien|Espagne|Espanha|Spagna|Hiszpania
ET Ethiopia
FI Finland|Suomi|Finnland|Finlande|Finlandia
FJ Fiji
FO Faroe Islands
FR France|Frankreich|Francia|Frankrijk|Francja|França
GB United Kingdom|UK|U.K.|Great Britain|Britain|Royaume-Uni|Vereinigtes Königreich|Reino Unido|
  Grossbritannien|Großbritannien|England|Scotland|Wales|Northern Ireland|Wielka Brytania|
  United Kingdom of Great Britain and Northern Ireland
GE Georgia|Republic of Georgia
GG Guernsey
GH Ghana
GI Gibraltar
GL Greenland
GR Greece|Griechenland|Grèce|Grecia|Hellas
GT Guatemala
GY Guyana
HK Hong Kong|Hong Kong SAR|HongKong|Hong Kong S.A.R.|香港
HN Honduras
HR Croatia|Hrvatska|Kroatien|Croatie
HT Haiti
HU Hungary|Magyarország|Ungarn|Hongrie
ID Indonesia|Indonesien
IE Ireland|Republic of Ireland|Éire|Irland|Irlande|Irlanda
IL Israel
IM Isle of Man
IN India|Indien|Inde|Bharat
IQ Iraq
IR Iran
IS Iceland|Ísland|Island
IT Italy|Italia|Italien|Italie|Włochy|Itália
JE Jersey
JM Jamaica
JO Jordan|Jordanien
JP Japan|Japon|Nippon|日本
KE Kenya|Kenia
KG Kyrgyzstan
KH Cambodia
KR South Korea|Korea|Republic of Korea|Korea Republic of|Korea, Republic of|Südkorea|Corée du Sud|
  Corea del Sur|대한민국|한국
KP North Korea
KW Kuwait
KY Cayman Islands
KZ Kazakhstan
LA Laos
LB Lebanon
LI Liechtenstein
LK Sri Lanka
LT Lithuania|Lietuva|Litauen|Lituanie
LU Luxembourg|Luxemburg|Luxemburgo
LV Latvia|Latvija|Lettland|Lettonie
LY Libya
MA Morocco|Maroc|Marokko|Marruecos
MC Monaco
MD Moldova|Republic of Moldova
ME Montenegro
MG Madagascar
MK North Macedonia|Macedonia
ML Mali
MM Myanmar|Burma
MN Mongolia
MO Macau|Macao
MT Malta
MU Mauritius
MV Maldives
MW Malawi
MX Mexico|México|Mexiko|Mexique
MY Malaysia
MZ Mozambique
NA Namibia
NE Niger
NG Nigeria
NI Nicaragua
NL Netherlands|The Netherlands|Holland|Niederlande|Nederland|Pays-Bas|Países Bajos|Holandia|
  Paesi Bassi
NO Norway|Norge|Norwegen|Norvège|Noruega
NP Nepal
NZ New Zealand|Neuseeland|Aotearoa|Nouvelle-Zélande|Nueva Zelanda
OM Oman
PA Panama|Panamá
PE Peru|Perú
PG Papua New Guinea
PH Philippines|The Philippines|Philippinen|Filipinas
PK Pakistan
PL Poland|Polska|Polen|Pologne|Polonia
PS Palestine
PT Portugal
PY Paraguay
QA Qatar|Katar
RO Romania|România|Rumänien|Roumanie|Rumania
RS Serbia|Srbija|Serbien
RU Russia|Russian Federation|Russland|Россия
RW Rwanda
SA Saudi Arabia|KSA|Kingdom of Saudi Arabia|Saudi-Arabien|Saudi
SD Sudan
SE Sweden|Sverige|Schweden|Suède|Suecia
SG Singapore|Singapur|Singapour|Republic of Singapore
SI Slovenia|Slovenija|Slowenien
SK Slovakia|Slovensko|Slowakei|Slovak Republic
SN Senegal
SO Somalia
SR Suriname
SV El Salvador
SY Syria
TH Thailand
TJ Tajikistan
TM Turkmenistan
TN Tunisia|Tunisie
TR Turkey|Türkiye|Turkiye|Türkei|Turquie
TT Trinidad and Tobago|Trinidad & Tobago|Trinidad
TW Taiwan|Taiwan R.O.C.|臺灣|台灣|台湾
TZ Tanzania
UA Ukraine|Україна|Ucrania
UG Uganda
US United States|United States of America|USA|U.S.A.|U.S.|US|Estados Unidos|États-Unis|Etats Unis|
  Vereinigte Staaten|EE.UU.|EEUU|EUA|America|Stany Zjednoczone|Stati Uniti|the States|アメリカ
UY Uruguay
UZ Uzbekistan
VE Venezuela
VN Vietnam|Viet Nam|Việt Nam
XK Kosovo
YE Yemen
ZA South Africa|RSA|Südafrika|Afrique du Sud|Sudáfrica
ZM Zambia
ZW Zimbabwe
"""

_THREE_LETTERS = """
ARE ARG AUT AUS BEL BGR BRA CAN CHE CHL CHN COL CRI CYP CZE DEU DNK EGY ESP EST FIN FRA GBR GRC
HKG HRV HUN IDN IND IRL ISR ITA JPN KEN KOR LTU LUX LVA MAR MEX MLT MYS NGA NLD NOR NZL PAK PAN
PER PHL POL PRT QAT ROU SAU SGP SRB SVK SVN SWE THA TUR TWN UKR URY USA VNM ZAF
"""
_THREE_TO_TWO = (
    "AE AR AT AU BE BG BR CA CH CL CN CO CR CY CZ DE DK EG ES EE FI FR GB GR "
    "HK HR HU ID IN IE IL IT JP KE KR LT LU LV MA MX MT MY NG NL NO NZ PK PA "
    "PE PH PL PT QA RO SA SG RS SK SI SE TH TR TW UA UY US VN ZA"
)

_ROWS = [line.split(" ", 1) for line in table_rows(_NAMES)]

COUNTRIES: dict[str, tuple[str, ...]] = {code: tuple(names.split("|")) for code, names in _ROWS}
"""ISO 3166-1 alpha-2 code → names, the usual English one first."""

THREE_LETTERS: dict[str, str] = dict(
    zip(_THREE_LETTERS.split(), _THREE_TO_TWO.split(), strict=True)
)
"""ISO 3166-1 alpha-3 code → alpha-2, for countries that postings write so."""

ALSO_TOWNS = frozenset({"LB", "PE", "CU", "MX", "PL", "NO", "JM", "PA", "GE", "JO", "JE", "CL"})
"""Countries whose name is also a town's or a state's in the United States."""
