"""Cities of Europe, Asia, Africa and Oceania by country, with other names for them.

``|`` parts names of one city; ``?`` marks one that the bare name does not mean, since a
better known city elsewhere has the same name.
"""

ROWS = """
GB London|Greater London|Central London|Londres|City of London|Londra,Manchester,?Birmingham,
  Leeds,Bristol,Edinburgh,Glasgow,?Cambridge,Oxford,Liverpool,Sheffield,Newcastle upon Tyne|
  ?Newcastle,Nottingham,Reading,Brighton|Brighton & Hove,Cardiff,Belfast,Southampton,?Portsmouth,
  Leicester,Coventry,Milton Keynes,Bath,Exeter,York UK|?York,Aberdeen,Dundee,Swansea,Slough,
  Guildford,Bournemouth,Derby,Norwich,Ipswich,Swindon,Cheltenham,Gloucester,Warrington,Watford,
  Basingstoke,Croydon,Stoke-on-Trent,Hull,Bradford,Wolverhampton,Luton,Stevenage,Farnborough,
  High Wycombe,Maidenhead,Woking,Crawley,Chester,?Lancaster,?Durham,Sunderland,Middlesbrough,
  Preston,Solihull,Telford,Chelmsford UK,Colchester,Peterborough UK|?Peterborough,Northampton,
  Harwell,Didcot,Wokingham,Bracknell,St Albans,Harrogate,Barrow-in-Furness,?Plymouth,?Worcester,
  Hatfield,Heathrow,Gatwick,Canary Wharf,Shoreditch,Uxbridge,Newport UK|?Newport,Stirling,
  Inverness,Livingston UK,Macclesfield,Hemel Hempstead,Salford,?Lincoln,?Richmond
IE Dublin,Cork,Galway,Limerick,Waterford,Kilkenny,Dundalk,Athlone,Letterkenny,Sligo,Leixlip,Swords
FR Paris|Greater Paris|Paris Region|Région parisienne|Paris La Défense|La Défense,Lyon|Lyons,
  Marseille|Marseilles,Toulouse,Nice,Nantes,Bordeaux,Lille,Strasbourg,Montpellier,Rennes,Grenoble,
  Sophia Antipolis,Aix-en-Provence,Nancy,Tours,Dijon,Angers,Rouen,Metz,Le Havre,Saint-Étienne,
  Clermont-Ferrand,Brest FR,Toulon,Boulogne-Billancourt|Boulogne,Levallois-Perret|Levallois,
  Issy-les-Moulineaux,Courbevoie,Nanterre,Puteaux,Neuilly-sur-Seine,Saint-Denis,Montreuil,Massy,
  Palaiseau,Vélizy-Villacoublay|Vélizy,Versailles,Guyancourt,Rueil-Malmaison,Annecy,Orléans,Reims,
  Caen,Pau,Cannes,Biarritz,Saclay,Villeurbanne,Le Mans,Limoges,Saint-Ouen,Clichy,Malakoff
DE Berlin,Munich|München|Muenchen|Monaco di Baviera,Hamburg,Frankfurt|Frankfurt am Main|
  Frankfurt/Main|Frankfurt a.M.,Cologne|Köln|Koeln,Stuttgart,Düsseldorf|Duesseldorf|Dusseldorf,
  Leipzig,Dresden,Nuremberg|Nürnberg|Nuernberg,Hanover|Hannover,Bremen,Dortmund,Essen,Karlsruhe,
  Mannheim,Heidelberg,Bonn,Mainz,Wiesbaden,Darmstadt,Freiburg|Freiburg im Breisgau,Ulm,Augsburg,
  Aachen,Münster|Muenster,Bielefeld,Bochum,Duisburg,Wuppertal,Braunschweig,Kiel,Lübeck,Rostock,
  Magdeburg,Erfurt,Jena,Potsdam,Kassel,Regensburg,Ingolstadt,Würzburg,Erlangen,Fürth,Konstanz,
  Tübingen,Paderborn,Osnabrück,Oldenburg,Göttingen,Wolfsburg,Walldorf,Leverkusen,Ludwigshafen,
  Saarbrücken,Koblenz,Chemnitz,?Halle|Halle (Saale),Heilbronn,Reutlingen,Garching,Ottobrunn,
  Unterföhring,Ismaning,Friedrichshafen,Eschborn,Gütersloh,Herzogenaurach,Böblingen,Sindelfingen,
  Krefeld,Hagen,Trier,Passau,Bamberg,Bayreuth,Rosenheim,Pforzheim,Schwerin,Weimar,Cottbus,
  Lüneburg,Bad Homburg,Oberkochen,Biberach
AT Vienna|Wien|Vienne|Viena,Graz,Linz,Salzburg,Innsbruck,Klagenfurt,Villach,Dornbirn,Wels,
  Sankt Pölten|St. Pölten
CH Zurich|Zürich|Zuerich,Geneva|Genève|Genf|Ginebra,Basel|Bâle,Bern|Berne,Lausanne,Zug,Lugano,
  Winterthur,Lucerne|Luzern,St. Gallen|Sankt Gallen,Neuchâtel,Fribourg,Baden CH,Biel,Opfikon,
  Dübendorf,Schlieren,Rotkreuz,Nyon,Vevey,Sion CH,Schaffhausen,Aarau,Morges
NL-NH Amsterdam|Greater Amsterdam,Haarlem,Hoofddorp,Schiphol,Hilversum,Amstelveen,Zaandam
NL Rotterdam,The Hague|Den Haag|'s-Gravenhage,Utrecht,Eindhoven,Groningen,Delft,Leiden,Nijmegen,
  Arnhem,Tilburg,Breda,Maastricht,Enschede,Amersfoort,'s-Hertogenbosch|Den Bosch,Veldhoven,Almere,
  Zwolle,Wageningen,Apeldoorn,Deventer,Rijswijk,Zoetermeer,Nieuwegein,Noordwijk
BE Brussels|Bruxelles|Brussel|Bruselas|Brüssel,Antwerp|Antwerpen|Anvers,Ghent|Gent|Gand,Leuven|
  Louvain,Liège|Liege,Bruges|Brugge,Mechelen,Namur,Charleroi,Hasselt,Louvain-la-Neuve,Zaventem,
  Diegem,Kortrijk,Mons
LU Luxembourg City|Luxembourg Ville,Esch-sur-Alzette
ES Madrid|Greater Madrid,Barcelona|Barcelone|Greater Barcelona|Barna,Valencia,Seville|Sevilla,
  Málaga|Malaga,Bilbao,Zaragoza,Alicante,Palma|Palma de Mallorca|Mallorca,Las Palmas|Gran Canaria,
  Tenerife,Murcia,Valladolid,San Sebastián|Donostia,A Coruña|La Coruña,Vigo,Granada,?Córdoba,
  Pamplona,Santander,Oviedo,Gijón,Girona,Tarragona,Sabadell,Terrassa,Sant Cugat|
  Sant Cugat del Vallès,Alcobendas,Pozuelo de Alarcón,Getafe,Las Rozas,Marbella,?León,Salamanca,
  Ibiza,Vitoria-Gasteiz
PT Lisbon|Lisboa|Lisbonne|Lissabon|Greater Lisbon,Porto|Oporto,Braga,Coimbra,Aveiro,Faro,Funchal,
  Leiria,Oeiras,Setúbal,Guimarães,Viseu,Évora,Cascais,Matosinhos,Vila Nova de Gaia
IT Milan|Milano|Mailand,Rome|Roma|Rom,Turin|Torino,Bologna|Bologne,Florence|Firenze,Naples|Napoli,
  Venice|Venezia,Genoa|Genova,Verona,Padua|Padova,Bari,Catania,Palermo,Trento,Trieste,Pisa,Modena,
  Parma,Brescia,Bergamo,Cagliari,Bolzano|Bozen,Udine,Perugia,Monza,Rimini,Segrate,Assago,Ivrea,
  Lecce,Maranello,Reggio Emilia
DK Copenhagen|København|Kobenhavn|Kopenhagen|Copenhague|Greater Copenhagen,Aarhus|Århus,Odense,
  Aalborg|Ålborg,Kolding,Lyngby|Kongens Lyngby,Ballerup,Søborg,Herlev,Roskilde,Bagsværd,Billund,
  Hellerup
SE Stockholm|Stockholms län|Estocolmo|Greater Stockholm,Gothenburg|Göteborg|Goteborg,Malmö|Malmo,
  Uppsala,Lund,Linköping,Västerås,Örebro,Helsingborg,Umeå,Luleå,Jönköping,Norrköping,Solna,Kista,
  Södertälje,Karlskrona,Skellefteå,Sundsvall,Gävle,Karlstad,Växjö,Östersund,Borlänge,Trollhättan
NO Oslo,Bergen,Trondheim,Stavanger,Tromsø|Tromso,Kristiansand,Drammen,Lysaker,Fornebu,Bodø,Sandnes
FI Helsinki|Helsingfors|Greater Helsinki,Espoo|Esbo,Tampere,Turku|Åbo,Oulu,Vantaa,Jyväskylä,Lahti,
  Kuopio,Rovaniemi,Salo
IS Reykjavik|Reykjavík,Kópavogur
PL Warsaw|Warszawa|Varsovie|Warschau|Varsovia,Kraków|Krakow|Cracow|Krakau|Cracovia,Wrocław|
  Wroclaw|Breslau,Gdańsk|Gdansk|Tricity|Trójmiasto,Poznań|Poznan,Łódź|Lodz,Katowice,Gdynia,Sopot,
  Lublin,Szczecin,Rzeszów|Rzeszow,Białystok|Bialystok,Bydgoszcz,Toruń,Gliwice,Bielsko-Biała,
  Kielce,Olsztyn,Opole,Zielona Góra
CZ Prague|Praha|Prag|Praga,Brno|Brünn,Ostrava,Plzeň|Pilsen|Plzen,Olomouc,Liberec,Hradec Králové,
  Pardubice,České Budějovice,Zlín
SK Bratislava,Košice|Kosice,Žilina|Zilina,Nitra
HU Budapest|Budapeszt,Debrecen,Szeged,Győr,Pécs,Miskolc,Székesfehérvár
RO Bucharest|București|Bucuresti|Bukarest,Cluj-Napoca|Cluj,Timișoara|Timisoara,Iași|Iasi,Brașov|
  Brasov,Sibiu,Oradea,Craiova,Constanța,Pitești
BG Sofia|София,Plovdiv,Varna,Burgas,Ruse
GR Athens|Athína|Athen|Athènes,Thessaloniki,Patras,Heraklion
CY Limassol,Nicosia,Larnaca,Paphos
MT Valletta,Sliema,St. Julian's|St Julians|Saint Julian's,Gżira|Gzira,Birkirkara
HR Zagreb,?Split,Rijeka,Osijek,Zadar
SI Ljubljana,Maribor
RS Belgrade|Beograd|Belgrad,Novi Sad,Niš|Nis
BA Sarajevo,Banja Luka,Mostar
MK Skopje
AL Tirana
ME Podgorica
XK Pristina|Prishtina
EE Tallinn,Tartu
LV Riga|Rīga
LT Vilnius,Kaunas,Klaipėda
UA Kyiv|Kiev|Київ,Lviv|Lvov,Kharkiv|Kharkov,Odesa|Odessa,Dnipro,Vinnytsia,Ivano-Frankivsk,
  Zaporizhzhia,Uzhhorod,Chernivtsi
MD Chișinău|Chisinau
BY Minsk,Grodno,?Brest,Gomel
RU Moscow|Москва|Moskau|Moscou,Saint Petersburg|St. Petersburg|Санкт-Петербург,Novosibirsk,Kazan,
  Yekaterinburg,Nizhny Novgorod,Sochi
GE Tbilisi,Batumi
AM Yerevan
AZ Baku
KZ Almaty,Astana|Nur-Sultan
UZ Tashkent
TR Istanbul|İstanbul,Ankara,Izmir|İzmir,Antalya,Bursa,Kocaeli
IL Tel Aviv|Tel-Aviv|Tel Aviv-Yafo|TLV|Tel Aviv District,Jerusalem,Haifa,Herzliya|
  Herzliya Pituach,Petah Tikva|Petach Tikva|Petah Tiqwa,Ramat Gan,Ra'anana|Raanana,Netanya,
  Rehovot,Be'er Sheva|Beer Sheva,Yokneam,Rosh Ha'ayin|Rosh HaAyin,Hod HaSharon,Holon,Kfar Saba,
  Bnei Brak,Givatayim,Lod,Caesarea,Airport City
AE Dubai|Dubaï,Abu Dhabi,Sharjah,Ras Al Khaimah,Ajman
SA Riyadh,Jeddah,Dammam,NEOM,Dhahran,Al Khobar|Khobar,Mecca,Medina
QA Doha
KW Kuwait City
BH Manama
OM Muscat
JO Amman
LB Beirut
EG Cairo|Le Caire|Giza|New Cairo,?Alexandria
MA Casablanca,Rabat,Tangier|Tanger,Marrakech|Marrakesh,Fès,Agadir
TN Tunis,Sousse,Sfax
DZ Algiers|Alger,Oran
NG Lagos,Abuja,Ibadan,Port Harcourt
KE Nairobi,Mombasa,Kisumu
GH Accra,Kumasi
ZA Johannesburg|Joburg,Cape Town|Kaapstad,Durban,Pretoria|Tshwane,Stellenbosch,Sandton,Centurion,
  Midrand,Port Elizabeth|Gqeberha,?East London,Bloemfontein
UG Kampala
TZ Dar es Salaam,Arusha
RW Kigali
ET Addis Ababa
SN Dakar
CI Abidjan
CM Douala,Yaoundé
MU Port Louis,Ebène
MG Antananarivo
ZM Lusaka
ZW Harare
NA Windhoek
BW Gaborone
MZ Maputo
AO Luanda
IN-KA Bangalore|Bengaluru|Bangaluru|BLR|Bengaluru East|Bengaluru Urban|Greater Bengaluru Area,
  Mysore|Mysuru,Mangalore|Mangaluru,Hubli
IN-MH Mumbai|Bombay|Greater Mumbai,Pune|Pune/Pimpri-Chinchwad Area,Navi Mumbai,Nagpur,Nashik|
  Nasik,Thane,Aurangabad
IN-TG Hyderabad|Secunderabad|HYD
IN-TN Chennai|Madras,Coimbatore,Madurai
IN-DL Delhi|New Delhi|Delhi NCR|Delhi/NCR|Delhi-NCR|NCR Delhi
IN-HR Gurgaon|Gurugram,Faridabad,Panchkula
IN-UP Noida|Greater Noida|Delhi / Noida,Lucknow,Kanpur,Ghaziabad,Varanasi,Agra
IN-WB Kolkata|Calcutta
IN-GJ Ahmedabad|Amdavad,Gandhinagar|GIFT City,Surat,Vadodara|Baroda,Rajkot
IN-RJ Jaipur,Udaipur,Jodhpur
IN-KL Kochi|Cochin,Thiruvananthapuram|Trivandrum,Kozhikode|Calicut
IN-MP Indore,Bhopal
IN-AP Visakhapatnam|Vizag,Vijayawada
IN-OD Bhubaneswar|Bhubaneshwar
IN-GA Panaji|Panjim
IN-PB Mohali,Ludhiana
IN Chandigarh,Guwahati,Patna,Ranchi,Dehradun,Raipur,?Salem
PK Karachi,Lahore,Islamabad,Rawalpindi,Faisalabad,Peshawar
BD Dhaka,Chittagong|Chattogram
LK Colombo,Kandy
NP Kathmandu,Pokhara
CN Beijing|Pékin|Peking|北京,Shanghai|上海,Shenzhen|深圳,Guangzhou|广州,Hangzhou|
  杭州,Chengdu,Suzhou,
  Nanjing,Wuhan,Xi'an|Xian,Tianjin,Dalian,Qingdao,Xiamen,Chongqing,Dongguan,Foshan,Ningbo,Wuxi,
  Hefei,Zhuhai,Shenyang,Jinan
HK Kowloon,Hong Kong Island,Wan Chai,Kwun Tong
TW Taipei|Taipei City|台北|New Taipei,Hsinchu|Hsinchu City|
  新竹,Taichung,Tainan,Kaohsiung,Taoyuan,Neihu
JP Tokyo|Tokio|東京|Minato-ku|Shibuya|Shinjuku|Chiyoda|Roppongi,Osaka|大阪,Kyoto|京都,Yokohama|横浜,
  Nagoya|名古屋,Fukuoka|福岡,Sapporo|
  札幌,Kobe,Sendai,Hiroshima,Kawasaki,Tsukuba,Saitama,Chiba,Okinawa,
  Hamamatsu,Atsugi
KR Seoul|서울|Séoul,Busan|부산,Incheon,Pangyo,Seongnam|
  Seongnam-si,Daejeon,Daegu,Suwon,Gwangju,Ulsan,
  Hwaseong,Gangnam|Gangnam-gu
SG Singapore City|Changi|Jurong|Jurong East|Tampines
MY Kuala Lumpur|KL,Petaling Jaya,Bayan Lepas,Cyberjaya,Johor Bahru,Shah Alam,Subang Jaya,
  Putrajaya,Kulim
ID Jakarta|DKI Jakarta|Jakarta Selatan|South Jakarta|Greater Jakarta|West Jakarta|Central Jakarta|
  Jakarta Barat|Jakarta Pusat,Bandung,Surabaya,Yogyakarta|Jogja,Bali|Denpasar|Canggu,Tangerang,
  Bekasi,Medan,Semarang,Batam,Makassar
TH Bangkok|Krung Thep,Chiang Mai,Phuket,Chonburi,Rayong,Nonthaburi
VN Ho Chi Minh City|HCMC|Ho Chi Minh|Saigon|TP. Hồ Chí Minh|Hồ Chí Minh,Hanoi|Ha Noi|Hà Nội,
  Da Nang|Đà Nẵng|Danang,Hai Phong,Can Tho
PH Manila|Metro Manila,Makati|Makati City,Taguig|Taguig City|BGC|Bonifacio Global City,
  Quezon City,Cebu|Cebu City,Pasig|Pasig City|Ortigas,Mandaluyong,Pasay|Pasay City,Davao|
  Davao City,Muntinlupa|Alabang,Parañaque,Clark Freeport,Iloilo|Iloilo City,Baguio,Bacolod
KH Phnom Penh
MM Yangon
LA Vientiane
MN Ulaanbaatar
AU-NSW Sydney|Greater Sydney,?Newcastle,Wollongong,North Sydney,Parramatta,Macquarie Park
AU-VIC Melbourne|Greater Melbourne,Geelong,Ballarat,Bendigo,Docklands
AU-QLD Brisbane|Greater Brisbane,Gold Coast,Cairns,Townsville,Sunshine Coast,Toowoomba
AU-WA Perth,Fremantle
AU-SA Adelaide
AU-ACT Canberra
AU-TAS Hobart,Launceston
AU-NT Darwin
NZ Auckland,Wellington,Christchurch,?Hamilton,Dunedin,Tauranga,Queenstown,Nelson NZ,Palmerston North
FJ Suva
"""
