"""Cities of the Americas by division, with other names for them.

``|`` parts names of one city; ``?`` marks one that the bare name does not mean, since a
better known city elsewhere has the same name.
"""

ROWS = """
US-AL ?Birmingham,Huntsville,Mobile,Montgomery,Tuscaloosa,Auburn
US-AK Anchorage,Fairbanks,Juneau
US-AZ Phoenix,Scottsdale,Tempe,Tucson,Mesa,Chandler,?Gilbert,Glendale,?Peoria,Flagstaff,Goodyear,
  ?Surprise
US-AR Little Rock,Bentonville,Fayetteville,Fort Smith,Rogers,Springdale,Conway
US-CA San Francisco|SF|San Fran|San Francisco Bay Area|SF Bay Area|Bay Area|San Fransisco|SFO,
  Los Angeles|L.A.|Greater Los Angeles|Los Angeles Metropolitan Area|LAX,San Diego,San Jose,
  Silicon Valley,Palo Alto,Mountain View,Menlo Park,Sunnyvale,Santa Clara,Cupertino,Redwood City,
  San Mateo,South San Francisco,Foster City,Fremont,Oakland,Berkeley,Emeryville,Irvine,Costa Mesa,
  Newport Beach,Orange County,Anaheim,Santa Ana,Long Beach,Santa Monica,Culver City,Burbank,
  Pasadena,El Segundo,Hawthorne,Torrance,Playa Vista,Venice Beach,Santa Barbara,Goleta,Carlsbad,
  San Bruno,San Carlos,Burlingame,Milpitas,Pleasanton,San Ramon,Walnut Creek,?Concord,?Richmond,
  Sacramento,Fresno,Bakersfield,Stockton,Modesto,Riverside,San Bernardino,Rancho Cucamonga,
  Temecula,Oceanside,La Jolla,Thousand Oaks,Calabasas,Westlake Village,Camarillo,Ventura,Oxnard,
  Santa Rosa,Petaluma,Napa,Novato,San Rafael,Marin,Santa Cruz,Scotts Valley,Monterey,
  San Luis Obispo,Chico,Roseville,Folsom,Rancho Cordova,?Davis,Livermore,Hayward,Newark CA,
  Union City,Los Gatos,Campbell,Saratoga,Los Altos,East Palo Alto,Brisbane CA,Alameda,Aliso Viejo,
  Lake Forest,Mission Viejo,Tustin,Fullerton,Brea,Cerritos,Commerce CA,Vernon CA,El Monte,
  West Hollywood,Hollywood,Beverly Hills,Marina del Rey,Manhattan Beach,Redondo Beach,Gardena,
  Carson,Inglewood,Van Nuys,Woodland Hills,Sherman Oaks,Palmdale,Lancaster CA,Mojave,Palm Springs,
  Chula Vista,Escondido,San Marcos CA,Vista CA
US-CO Denver|Greater Denver|Denver Metro,Boulder,Colorado Springs,Fort Collins,?Aurora,Broomfield,
  Louisville CO,?Westminster,Lakewood,Littleton,Englewood,Golden CO,Longmont,Loveland,Centennial,
  Greenwood Village,Lone Tree,Durango,Grand Junction
US-CT Hartford,Stamford,New Haven,Greenwich CT,Bridgeport,Norwalk,Danbury,Groton,?Windsor,
  Farmington CT,Westport CT
US-DE Wilmington,?Dover,?Newark,Lewes DE,Rehoboth Beach,New Castle,Middletown DE,Hockessin,Bear DE
US-DC Washington, D.C.|Washington DC|Washington, DC|Washington D.C.|?Washington|DC Metro|
  Washington DC Metro Area|Greater Washington DC|DCA
US-FL Miami|Greater Miami|South Florida,Orlando,Tampa|Tampa Bay,Jacksonville,Fort Lauderdale|
  Ft. Lauderdale|Ft Lauderdale,West Palm Beach,Boca Raton,St. Petersburg FL|Saint Petersburg FL,
  Tallahassee,Gainesville,Sarasota,Naples FL,Fort Myers,Clearwater,Coral Gables,Miami Beach,Doral,
  Sunrise FL,Plantation,Weston FL,Hollywood FL,?Melbourne,Cape Canaveral,Palm Bay,Pensacola,
  Daytona Beach,Lakeland,Merritt Island,Palm Beach Gardens,Titusville,Delray Beach,
  Kennedy Space Center,Key West,St. Augustine
US-GA Atlanta|Greater Atlanta|Metro Atlanta|Atlanta Metropolitan Area,Alpharetta,Savannah,Augusta,
  ?Athens,Macon,Columbus GA,Marietta,Duluth GA,Norcross,Sandy Springs,Roswell,Dunwoody,Kennesaw,
  Peachtree City,Peachtree Corners,Decatur
US-HI Honolulu,Maui,Oahu,Kailua,Hilo,Pearl Harbor
US-ID Boise,Meridian,Nampa,Coeur d'Alene,Idaho Falls
US-IL Chicago|Greater Chicago|Chicagoland|Chicago Metropolitan Area,Evanston,Naperville,
  Schaumburg,?Aurora,Oak Brook,Deerfield,Lake Bluff,Lake Zurich,Northbrook,Rosemont,Champaign,
  Urbana,?Springfield,?Peoria,Rockford,Joliet,Bolingbrook,Downers Grove,Itasca,Lisle,Vernon Hills,
  Elgin,Hoffman Estates,?Bloomington,Skokie,Arlington Heights
US-IN Indianapolis|Indy,Fort Wayne,Carmel,Fishers,Evansville,South Bend,?Bloomington,
  West Lafayette,?Lafayette,Hammond,Elkhart,Muncie,Terre Haute,Noblesville,Jeffersonville,
  ?Columbus,?Warsaw,Gary,Zionsville,Plainfield IN,Whitestown
US-IA Des Moines,West Des Moines,Cedar Rapids,Iowa City,Davenport,Ames,Waterloo IA,Dubuque,
  Coralville
US-KS Wichita,Overland Park,Topeka,Olathe,Lenexa,?Lawrence,Leawood,Kansas City KS
US-KY Louisville,?Lexington,Bowling Green,Covington,Owensboro
US-LA New Orleans,Baton Rouge,Shreveport,?Lafayette,Metairie,Lake Charles
US-ME ?Portland,Bangor,Augusta ME,Westbrook
US-MD Baltimore,Bethesda,Rockville,Silver Spring,Gaithersburg,Columbia MD,Annapolis,Frederick,
  Germantown,College Park,Laurel,Fort Meade|Ft. Meade|Ft Meade,Aberdeen Proving Ground,Towson,
  Hunt Valley,Annapolis Junction,Greenbelt,Hanover MD,Linthicum,Lexington Park,Salisbury MD,
  Chevy Chase
US-MA Boston|Greater Boston|Boston Metro,?Cambridge,Somerville,Waltham,Lexington MA,Burlington MA,
  ?Worcester,?Springfield,Lowell,Newton,Framingham,Needham,Quincy,Andover,Marlborough,Natick,
  Bedford MA,Woburn,Watertown,Westborough,Boxborough,Billerica,Wilmington MA,Chelmsford,Norwood,
  Canton MA,Hopkinton,Acton,Wakefield MA,Medford,Malden,Brookline,Wellesley,Devens,Maynard,
  Southborough,Plymouth MA,Amherst
US-MI Detroit|Metro Detroit,Ann Arbor,Grand Rapids,Lansing,Dearborn,Troy,Southfield,Auburn Hills,
  Farmington Hills,Warren,Kalamazoo,Sterling Heights,Novi,?Plymouth,Livonia,?Rochester Hills,
  Flint,Saginaw,Midland MI,Holland MI,?Birmingham,Pontiac,Romulus,Battle Creek,East Lansing
US-MN Minneapolis|Twin Cities|Minneapolis-St. Paul|Minneapolis-Saint Paul|Greater Minneapolis,
  St. Paul|Saint Paul,?Rochester,Bloomington MN,Duluth,Eden Prairie,Plymouth MN,Minnetonka,Eagan,
  Maple Grove,Mankato,St. Cloud,Brooklyn Park,Golden Valley
US-MS ?Jackson,Gulfport,Biloxi,Hattiesburg,Oxford MS,Stennis Space Center
US-MO St. Louis|Saint Louis|St Louis|Greater St. Louis,Kansas City|KC,?Springfield,?Columbia,
  Chesterfield MO,Jefferson City,Clayton,Branson
US-MT Bozeman,Missoula,Billings,Helena,Great Falls,Kalispell
US-NE Omaha,?Lincoln,Bellevue NE,La Vista
US-NV Las Vegas,Reno,Henderson,Sparks,Carson City,North Las Vegas
US-NH ?Manchester,Nashua,?Portsmouth,?Concord,?Dover,Hanover NH,Salem NH,Merrimack,Lebanon NH
US-NJ Jersey City,Newark,Princeton,Hoboken,Trenton,Edison,New Brunswick,Parsippany,Morristown,
  Cherry Hill,Camden,Red Bank,Holmdel,Piscataway,Bridgewater,Iselin,Secaucus,Mount Laurel,
  Basking Ridge,Rahway,Short Hills,Fort Lee,Paramus,Kenilworth,Whippany,East Hanover,Cranbury,
  Weehawken,Atlantic City,Union NJ,Clifton,Paterson,Elizabeth,Madison NJ,Bedminster,
  Englewood Cliffs,Florham Park
US-NM Albuquerque,Santa Fe,Los Alamos,Las Cruces,Rio Rancho
US-NY New York City|New York|NYC|New York Metro|New York Metropolitan Area|Greater New York|
  Greater New York City Area|New York City Metropolitan Area|N.Y.C.|JFK,Manhattan,Brooklyn,Queens,
  Bronx|The Bronx,Staten Island,Long Island City,Long Island,Buffalo,?Rochester,Albany,Syracuse,
  White Plains,Yonkers,Ithaca,New Rochelle,Armonk,Tarrytown,Melville,Hauppauge,Purchase NY,Rye,
  Poughkeepsie,Saratoga Springs,Schenectady,Binghamton,Utica,Babylon,West Babylon,Westchester,
  Garden City,Great Neck
US-NC Charlotte,Raleigh|Research Triangle|Research Triangle Park|RTP|Raleigh-Durham|
  Raleigh-Durham-Chapel Hill,Durham NC|Durham,Cary,Chapel Hill,Greensboro,Winston-Salem,
  ?Wilmington,Asheville,Morrisville,High Point,Huntersville,Concord NC,Fayetteville NC,Fort Bragg
US-ND Fargo,Bismarck,Grand Forks
US-OH Columbus,Cincinnati,Cleveland,Dayton,Akron,Toledo,?Dublin,Mason,Beavercreek,Westerville,
  Canton,Blue Ash,Defiance,Youngstown,?Oxford,Independence OH,Wright-Patterson AFB
US-OK Oklahoma City|OKC,Tulsa,Norman,Edmond,Stillwater
US-OR Portland,Eugene,Salem,Bend,Beaverton,Hillsboro,Lake Oswego,Corvallis,Tigard,Medford OR
US-PA Philadelphia|Philly|Greater Philadelphia|Philadelphia Metro,Pittsburgh,Harrisburg,
  King of Prussia,Conshohocken,Malvern,Allentown,Bethlehem,State College,Wayne,Blue Bell,
  ?Lancaster,Erie,Scranton,Horsham,Canonsburg,Radnor,Exton,Fort Washington,West Chester,
  Spring House,Collegeville,?York,Reading PA,Newtown,Wilkes-Barre,Hershey,Moon Township,
  Chesterbrook,Plymouth Meeting
US-RI Providence,Warwick,?Newport,Cranston,Pawtucket
US-SC Charleston,Greenville,Columbia SC,Myrtle Beach,Rock Hill,Spartanburg,Fort Mill,
  Mount Pleasant,Hilton Head
US-SD Sioux Falls,Rapid City
US-TN Nashville,Memphis,Knoxville,Chattanooga,Franklin,Oak Ridge,Brentwood TN,Murfreesboro,
  Clarksville,Smyrna TN,Collierville,Arnold AFB
US-TX Austin|Greater Austin,Houston|Greater Houston,Dallas|DFW|Dallas-Fort Worth|
  Dallas/Fort Worth|Dallas Fort Worth|Greater Dallas,Fort Worth|Ft. Worth,San Antonio,Plano,
  Irving,Frisco,Arlington TX,El Paso,Round Rock,McKinney,Richardson,The Woodlands,Sugar Land,
  Coppell,Addison,Westlake TX,Southlake,Grapevine,Carrollton,Corpus Christi,Lubbock,Amarillo,Waco,
  College Station,San Marcos,Cedar Park,Georgetown TX,Brownsville,Boca Chica,Starbase,McGregor,
  Bastrop,Laredo,Midland,Odessa TX,Katy,Galveston,Killeen,Allen TX,Lewisville,Denton,
  Farmers Branch,Flower Mound,Roanoke TX,Pflugerville,Bee Cave,Lakeway
US-UT Salt Lake City|SLC,Lehi,Provo,Orem,Park City,Draper,South Jordan,American Fork,Sandy UT,
  Ogden,Pleasant Grove,St. George,?Logan,Midvale,Cottonwood Heights,Layton,Hill AFB
US-VT ?Burlington,Montpelier,Essex Junction
US-VA Arlington,Reston,McLean|Mclean,Herndon,Alexandria,?Richmond,Tysons|Tysons Corner,Fairfax,
  Vienna VA,Chantilly,Ashburn,Sterling,Norfolk,Virginia Beach,Charlottesville,Leesburg,
  Falls Church,Blacksburg,Roanoke,Dulles,Springfield VA,Northern Virginia|NoVA,Quantico,Manassas,
  Newport News,Chesapeake,Hampton,Suffolk VA,Fort Belvoir|Ft. Belvoir,Lynchburg,Williamsburg,
  Glen Allen,Harrisonburg,Dahlgren
US-WA Seattle|Greater Seattle|Seattle Metro|Puget Sound,Bellevue,Redmond,Kirkland,Tacoma,Spokane,
  Everett,Renton,?Vancouver,Bothell,Olympia,Issaquah,Kent WA,Auburn WA,Bellingham,Tukwila,
  Mercer Island,Woodinville,Lynnwood,Richland
US-WV Charleston WV,Morgantown,Huntington
US-WI Milwaukee,Madison,Green Bay,Waukesha,Brookfield,Kenosha,Racine,Verona WI,Appleton,Oshkosh,
  Middleton,Eau Claire,Menomonee Falls
US-WY Cheyenne,Jackson Hole,Casper,Laramie
US-PR San Juan,Ponce,Bayamón,Guaynabo,Carolina PR
US-AE ?APO,?FPO,?DPO
CA-ON Toronto|GTA|Greater Toronto Area|Greater Toronto|Toronto Area,Ottawa|Ottawa-Gatineau,
  Waterloo|Kitchener-Waterloo|KW Region|Waterloo Region,Kitchener,Mississauga,Markham,?Hamilton,
  ?London,Oakville,Vaughan,Brampton,Guelph,?Kingston,Burlington ON|?Burlington,?Windsor,
  ?Cambridge,Barrie,Kanata,Richmond Hill,North York,Scarborough ON,Etobicoke,Oshawa,Niagara Falls,
  St. Catharines,Sudbury,Thunder Bay,Pickering,Ajax,Whitby ON,Concord ON,Newmarket,Milton ON,
  Sault Ste. Marie
CA-QC Montreal|Montréal|Ville de Montréal|Greater Montreal|Grand Montréal|
  Montreal Metropolitan Area|MTL,Quebec City|Québec City|Ville de Québec|Quebec, QC|Québec, QC,
  Laval,Longueuil,Gatineau,Sherbrooke,Brossard,Saint-Laurent|St-Laurent|St. Laurent|
  Ville Saint-Laurent,Pointe-Claire,Dorval,Anjou,Boucherville,Kirkland QC,Dollard-des-Ormeaux,
  Westmount,Verdun,Lachine,LaSalle QC,Saint-Hubert,Mirabel,Terrebonne,Blainville,Repentigny,
  Beaconsfield,Montréal-Nord,Mont-Royal|Town of Mount Royal|Mount Royal,Côte-Saint-Luc,Outremont,
  Saint-Léonard,Baie-D'Urfé|Baie d'Urfe,Sainte-Anne-de-Bellevue,Vaudreuil-Dorion|Vaudreuil,
  Saint-Bruno-de-Montarville|Saint-Bruno,La Prairie,Candiac,Châteauguay,Saint-Eustache,Boisbriand,
  Rosemère,Sainte-Thérèse,Varennes,Saint-Jérôme,Mascouche,Saint-Lambert,Hampstead QC,Senneville,
  Pierrefonds,Trois-Rivières,Saguenay|Chicoutimi,Lévis,Drummondville,Granby,
  Saint-Jean-sur-Richelieu,Saint-Hyacinthe,Rimouski,Bromont,Victoriaville
CA-BC Vancouver|Greater Vancouver|Metro Vancouver|Lower Mainland,Burnaby,?Richmond,Surrey BC,
  Victoria BC,Kelowna,North Vancouver,West Vancouver,Coquitlam,New Westminster,Nanaimo,Langley,
  Abbotsford,Kamloops,Prince George,Whistler,Squamish
CA-AB Calgary,Edmonton,Red Deer,Lethbridge,Banff,Fort McMurray
CA-MB Winnipeg,Brandon MB
CA-SK Saskatoon,Regina
CA-NS ?Halifax|Halifax NS,?Dartmouth,?Sydney
CA-NB Fredericton,Moncton,Saint John
CA-NL St. John's|Saint John's
CA-PE Charlottetown
CA-YT Whitehorse
CA-NT Yellowknife
MX-CMX Mexico City|Ciudad de México|CDMX|Mexico DF|México D.F.|Distrito Federal Mexico
MX-JAL Guadalajara,Zapopan,Puerto Vallarta
MX-NLE Monterrey,San Pedro Garza García
MX-QUE Querétaro|Santiago de Querétaro
MX-BCN Tijuana,Mexicali,Ensenada
MX-PUE Puebla
MX-YUC Mérida|Merida
MX-GUA ?León,Guanajuato
MX-CHH Ciudad Juárez|Juarez
MX Cancún|Cancun,Hermosillo,Saltillo,Toluca,Aguascalientes,San Luis Potosí,Culiacán,Reynosa,
  Morelia,Playa del Carmen
BR-SP São Paulo|Sao Paulo|Greater São Paulo|Grande São Paulo,Campinas,São José dos Campos,
  Santo André,São Bernardo do Campo,Sorocaba,Osasco,Barueri,Ribeirão Preto,São Carlos,Taubaté,
  Jundiaí,Alphaville
BR-RJ Rio de Janeiro,Niterói
BR-MG Belo Horizonte,Uberlândia,Juiz de Fora
BR-PR Curitiba,Londrina,Maringá
BR-RS Porto Alegre,Caxias do Sul,São Leopoldo
BR-SC Florianópolis|Florianopolis,Joinville,Blumenau
BR-DF Brasília|Brasilia
BR-PE Recife
BR-CE Fortaleza
BR-BA ?Salvador
BR Goiânia,Manaus,Belém,Natal,Vitória,João Pessoa
AR Buenos Aires|CABA|Ciudad Autónoma de Buenos Aires|Capital Federal,?Córdoba,?Rosario,Mendoza,
  La Plata,Mar del Plata
CL Santiago|Santiago de Chile,Valparaíso,Concepción,Viña del Mar
CO Bogotá|Bogota|Bogotá D.C.,Medellín|Medellin,Cali,Barranquilla,?Cartagena,Bucaramanga,Pereira
PE Lima,Arequipa
EC Quito,Guayaquil,Cuenca
UY Montevideo,Zonamerica
PY Asunción|Asuncion
BO La Paz,Santa Cruz de la Sierra,Cochabamba
VE Caracas,Maracaibo
CR ?San José|San José CR,Heredia,Escazú,Alajuela,Cartago,Santa Ana CR
PA Panama City|Ciudad de Panamá
GT Guatemala City|Ciudad de Guatemala
SV San Salvador
HN Tegucigalpa,San Pedro Sula
NI Managua
DO Santo Domingo,Santiago de los Caballeros,Punta Cana
JM ?Kingston,Montego Bay
BS Nassau
BB Bridgetown
TT Port of Spain
BM ?Hamilton
KY Grand Cayman,George Town
"""
