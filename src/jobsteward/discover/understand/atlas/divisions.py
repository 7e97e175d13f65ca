"""States, provinces and the like, by country: their codes and names."""

from jobsteward.discover.understand.atlas.tables import table_rows

_ROWS = """
US AL Alabama;AK Alaska;AZ Arizona;AR Arkansas;CA California|Calif|Cali;CO Colorado;
  CT Connecticut;DE Delaware;DC District of Columbia|Washington DC|Washington, D.C.|D.C.;
  FL Florida;GA Georgia;HI Hawaii;ID Idaho;IL Illinois;IN Indiana;IA Iowa;KS Kansas;KY Kentucky;
  LA Louisiana;ME Maine;MD Maryland;MA Massachusetts|Mass;MI Michigan;MN Minnesota;MS Mississippi;
  MO Missouri;MT Montana;NE Nebraska;NV Nevada;NH New Hampshire;NJ New Jersey;NM New Mexico;
  NY New York State|New York;NC North Carolina;ND North Dakota;OH Ohio;OK Oklahoma;OR Oregon;
  PA Pennsylvania;PR Puerto Rico;RI Rhode Island;SC South Carolina;SD South Dakota;TN Tennessee;
  TX Texas;UT Utah;VT Vermont;VA Virginia;WA Washington State|Washington;WV West Virginia;
  WI Wisconsin;WY Wyoming;GU Guam;VI US Virgin Islands|Virgin Islands;AE;AP
CA AB Alberta;BC British Columbia|Colombie-Britannique|B.C.;MB Manitoba;NB New Brunswick|
  Nouveau-Brunswick;NL Newfoundland and Labrador|Newfoundland & Labrador|Newfoundland|
  Terre-Neuve-et-Labrador;NS Nova Scotia|Nouvelle-Écosse;NT Northwest Territories;NU Nunavut;
  ON Ontario;PE Prince Edward Island|PEI|Île-du-Prince-Édouard;QC Quebec|Québec|
  Province of Quebec;SK Saskatchewan;YT Yukon
AU NSW New South Wales;VIC Victoria;QLD Queensland;SA South Australia;WA Western Australia;
  TAS Tasmania;ACT Australian Capital Territory;NT Northern Territory
IN AP Andhra Pradesh;AS Assam;BR Bihar;CG Chhattisgarh;DL Delhi NCR|NCR;GA Goa;GJ Gujarat;
  HR Haryana;JH Jharkhand;KA Karnataka;KL Kerala;MP Madhya Pradesh;MH Maharashtra;OD Odisha|
  Orissa;PB Punjab;RJ Rajasthan;TN Tamil Nadu|Tamilnadu;TG Telangana;UP Uttar Pradesh;
  UK Uttarakhand;WB West Bengal
DE BW Baden-Württemberg|Baden Wuerttemberg;BY Bavaria|Bayern|Bavière;BE Land Berlin;
  BB Brandenburg;HB Land Bremen;HE Hesse|Hessen;MV Mecklenburg-Vorpommern;NI Lower Saxony|
  Niedersachsen;NW North Rhine-Westphalia|Nordrhein-Westfalen|NRW;RP Rhineland-Palatinate|
  Rheinland-Pfalz;SL Saarland;SN Saxony|Sachsen;ST Saxony-Anhalt|Sachsen-Anhalt;
  SH Schleswig-Holstein;TH Thuringia|Thüringen
BR SP São Paulo State|Estado de São Paulo;RJ Rio de Janeiro State;MG Minas Gerais;
  RS Rio Grande do Sul;SC Santa Catarina;PR Paraná;BA Bahia;PE Pernambuco;CE Ceará;
  DF Distrito Federal;GO Goiás;ES Espírito Santo;PA Pará;AM Amazonas
MX JAL Jalisco;NLE Nuevo León|Nuevo Leon;CMX Ciudad de Mexico State|CDMX|
  Distrito Federal de Mexico;QUE Querétaro State;YUC Yucatán;BCN Baja California;PUE Puebla State;
  GUA Guanajuato State;MEX Estado de México;CHH Chihuahua
GB ENG West Midlands|Greater Manchester|West Yorkshire|Yorkshire|Surrey|Kent|Essex|Hampshire|
  Berkshire|Oxfordshire|Cambridgeshire|Hertfordshire|Buckinghamshire|Cheshire|Lancashire|Devon|
  Cornwall|Somerset|Gloucestershire|East Sussex|West Sussex|Merseyside|Tyne and Wear|
  Leicestershire|Nottinghamshire|Derbyshire|Norfolk County|South Yorkshire|Warwickshire|
  Northamptonshire|Bedfordshire|East Midlands|Home Counties
FR IDF Île-de-France|Ile de France;ARA Auvergne-Rhône-Alpes|Rhône-Alpes;
  PAC Provence-Alpes-Côte d'Azur|PACA;OCC Occitanie;NAQ Nouvelle-Aquitaine;HDF Hauts-de-France;
  GES Grand Est;BRE Bretagne|Brittany;NOR Normandie|Normandy;PDL Pays de la Loire;
  BFC Bourgogne-Franche-Comté;CVL Centre-Val de Loire
ES MD Comunidad de Madrid|Community of Madrid;CT Catalonia|Cataluña|Catalunya;AN Andalusia|
  Andalucía;VC Comunidad Valenciana|Valencian Community;PV Basque Country|País Vasco|Euskadi;
  GA Galicia;IB Balearic Islands|Islas Baleares;CN Canary Islands|Canarias
IT LOM Lombardy|Lombardia;LAZ Lazio;PIE Piedmont|Piemonte;VEN Veneto;TOS Tuscany|Toscana;
  EMR Emilia-Romagna;CAM Campania;SIC Sicily|Sicilia
NL NH North Holland|Noord-Holland;ZH South Holland|Zuid-Holland;NB North Brabant|Noord-Brabant;
  UT Utrecht Province;GE Gelderland;OV Overijssel;LI Dutch Limburg
CH ZH Canton of Zurich|Kanton Zürich;VD Vaud;GE Canton of Geneva;BE Canton of Bern;TI Ticino;
  AG Aargau;ZG Canton of Zug
PL MZ Mazowieckie|Masovian;MA Małopolskie|Lesser Poland;DS Dolnośląskie|Lower Silesia;
  PM Pomorskie|Pomeranian;SL Śląskie;WP Wielkopolskie|Greater Poland
BE VLG Flanders|Vlaanderen;WAL Wallonia|Wallonie;BRU Brussels-Capital Region
IE D County Dublin|Co. Dublin|Leinster;CO County Cork|Co. Cork|Munster;G County Galway|Co. Galway;
  LK County Limerick
JP 13 Tokyo-to|東京都;27 Osaka-fu|大阪府;14 Kanagawa|神奈川県;23 Aichi|愛知県;40 Fukuoka-ken|福岡県
CN GD Guangdong;ZJ Zhejiang;JS Jiangsu;SC Sichuan;HB Hubei
PH MNL Metro Manila|National Capital Region|NCR Philippines;CEB Cebu Province
ID JB West Java|Jawa Barat;BA Bali
MY SEL Selangor;PNG Penang|Pulau Pinang;JHR Johor
KR GG Gyeonggi|Gyeonggi-do
ZA GP Gauteng;WC Western Cape;NL KwaZulu-Natal
AR BA Buenos Aires Province|Provincia de Buenos Aires
CO ANT Antioquia;CUN Cundinamarca
SE M Skåne|Skane;O Västra Götaland|Vastra Gotaland
PK PB Sindh|Punjab Pakistan
"""

CODES: dict[str, tuple[str, ...]] = {}
"""A code in capitals → the ISO 3166-2 divisions that it can stand for."""
NAMES: dict[str, tuple[str, ...]] = {}
"""A division's name → the ISO 3166-2 divisions that it can stand for."""

_CODE_COUNTRIES = frozenset({"US", "CA", "AU", "BR", "IN"})

for _row in table_rows(_ROWS):
    _country, _divisions = _row.split(" ", 1)
    for _entry in _divisions.split(";"):
        _code, _, _names = _entry.partition(" ")
        _iso = f"{_country}-{_code}"
        if _country in _CODE_COUNTRIES:
            CODES[_code] = (*CODES.get(_code, ()), _iso)
        for _name in filter(None, _names.split("|")):
            NAMES[_name] = (*NAMES.get(_name, ()), _iso)
