"""Metropolitan areas: the cities that people mean when they name the big one."""

from jobsteward.discover.understand.atlas.tables import table_rows

_ROWS = """
Montreal=CA-QC=Montreal;Laval;Longueuil;Brossard;Saint-Laurent;Pointe-Claire;Dorval;Anjou;
  Boucherville;Kirkland;Dollard-des-Ormeaux;Westmount;Verdun;Lachine;LaSalle;Saint-Hubert;Mirabel;
  Terrebonne;Blainville;Repentigny;Beaconsfield;Montréal-Nord;Mont-Royal;Côte-Saint-Luc;Outremont;
  Saint-Léonard;Baie-D'Urfé;Sainte-Anne-de-Bellevue;Vaudreuil-Dorion;Saint-Bruno-de-Montarville;
  La Prairie;Candiac;Châteauguay;Saint-Eustache;Boisbriand;Rosemère;Sainte-Thérèse;Varennes;
  Mascouche;Saint-Lambert;Hampstead;Senneville;Pierrefonds
Toronto=CA-ON=Toronto;Mississauga;Markham;Oakville;Vaughan;Brampton;Richmond Hill;North York;
  Scarborough;Etobicoke;Pickering;Ajax
Vancouver=CA-BC=Vancouver;Burnaby;Richmond;Surrey;North Vancouver;West Vancouver;Coquitlam;
  New Westminster;Langley
San Francisco Bay Area=US-CA=San Francisco;San Jose;Silicon Valley;Palo Alto;Mountain View;
  Menlo Park;Sunnyvale;Santa Clara;Cupertino;Redwood City;San Mateo;South San Francisco;
  Foster City;Fremont;Oakland;Berkeley;Emeryville;San Bruno;San Carlos;Burlingame;Milpitas;
  Pleasanton;San Ramon;Walnut Creek;Los Gatos;Campbell;Los Altos;East Palo Alto;Alameda;Hayward;
  Union City;Livermore;San Rafael
Los Angeles=US-CA=Los Angeles;Long Beach;Santa Monica;Culver City;Burbank;Pasadena;El Segundo;
  Hawthorne;Torrance;Playa Vista;West Hollywood;Hollywood;Beverly Hills;Marina del Rey;
  Manhattan Beach;Inglewood;Woodland Hills;Sherman Oaks
New York=US-NY US-NJ=New York City;Manhattan;Brooklyn;Queens;Bronx;Staten Island;Long Island City;
  Long Island;Jersey City;Hoboken;Newark;Weehawken;White Plains;Yonkers
Boston=US-MA=Boston;Cambridge;Somerville;Waltham;Lexington;Burlington;Newton;Needham;Quincy;
  Woburn;Watertown;Brookline;Medford
Washington=US-DC US-VA US-MD=Washington, D.C.;Arlington;Reston;McLean;Herndon;Alexandria;Tysons;
  Fairfax;Bethesda;Silver Spring;Chantilly;Ashburn;Falls Church;Northern Virginia;Rockville
Seattle=US-WA=Seattle;Bellevue;Redmond;Kirkland;Renton;Bothell;Issaquah;Tukwila;Mercer Island
Chicago=US-IL=Chicago;Evanston;Naperville;Schaumburg;Oak Brook;Rosemont;Skokie
Dallas=US-TX=Dallas;Fort Worth;Plano;Irving;Frisco;Richardson;McKinney;Addison;Southlake;Coppell
Austin=US-TX=Austin;Round Rock;Cedar Park;Pflugerville;Bee Cave;Lakeway
Denver=US-CO=Denver;Lakewood;Littleton;Englewood;Broomfield;Centennial;Greenwood Village
Atlanta=US-GA=Atlanta;Alpharetta;Marietta;Sandy Springs;Dunwoody;Norcross
Raleigh=US-NC=Raleigh;Durham;Cary;Chapel Hill;Morrisville
Minneapolis=US-MN=Minneapolis;St. Paul;Bloomington;Eden Prairie;Plymouth;Minnetonka
Philadelphia=US-PA US-NJ=Philadelphia;King of Prussia;Conshohocken;Malvern;Wayne;Camden
Miami=US-FL=Miami;Miami Beach;Coral Gables;Doral;Fort Lauderdale
Phoenix=US-AZ=Phoenix;Scottsdale;Tempe;Mesa;Chandler
London=GB=London;Croydon;Canary Wharf;Shoreditch;Uxbridge;Heathrow
Paris=FR=Paris;Boulogne-Billancourt;Levallois-Perret;Issy-les-Moulineaux;Courbevoie;Nanterre;
  Puteaux;Neuilly-sur-Seine;Saint-Denis;Montreuil;Rueil-Malmaison;Clichy;Malakoff;Saint-Ouen
Munich=DE=Munich;Garching;Ottobrunn;Unterföhring;Ismaning
Amsterdam=NL-NH NL=Amsterdam;Amstelveen;Hoofddorp;Schiphol;Haarlem
Tel Aviv=IL=Tel Aviv;Herzliya;Ramat Gan;Petah Tikva;Givatayim;Bnei Brak;Holon
Delhi=IN-DL IN-HR IN-UP=Delhi;Gurgaon;Noida;Faridabad;Ghaziabad
Mumbai=IN-MH=Mumbai;Navi Mumbai;Thane
Manila=PH=Manila;Makati;Taguig;Quezon City;Pasig;Mandaluyong;Pasay;Muntinlupa
São Paulo=BR-SP=São Paulo;Osasco;Barueri;Santo André;São Bernardo do Campo;Alphaville
"""

METROS: dict[tuple[str, str], str] = {}
"""A city's division (or country) and usual name → the metropolitan area it belongs to."""

for _row in table_rows(_ROWS):
    _metro, _places, _cities = _row.split("=")
    for _city in _cities.split(";"):
        METROS.update({(_place, _city): _metro for _place in _places.split()})
