"""Word lists of the gate: which words say nothing new, and which say too much.

Words are in lower case without accents, in the languages that profiles are checked in.
A word that is in no list has to be the person's own.
"""

_STOP = {
    "en": "a an the and or but of to in on at by for from with into over under per via as is"
    " are was were be been being am i me my we us our you your it its they them their he she"
    " his her this that these those which who whose whom there here then than so such also"
    " both each while where when how what if up out off about across between within during"
    " through after before until against among has have had having do does did done will"
    " would can could may might shall should own one more some other own very too",
    "de": "der die das den dem des ein eine einen einem einer eines und oder aber von zu in im"
    " an am auf aus bei mit nach fur durch uber unter vor als wie ist sind war waren sein"
    " wird wurde werden ich mich mir mein meine meinen meiner meinem wir uns unser unsere sie"
    " ihr ihre es er auch dabei dort dies diese dieser sowie zum zur beim vom habe hat haben"
    " hatte bin kann seit bis um damit zwischen wahrend pro je ab ein einem bereits",
    "fr": "comme le la les l un une des du de d et ou mais a au aux en dans sur sous par pour avec"
    " chez entre vers est sont etait ete etre ai as avons ont je j me m mon ma mes nous notre"
    " nos vous votre vos il elle ils elles se s son sa ses leur leurs ce cet cette ces qui que"
    " qu dont ou y n ne plus tres aussi ainsi lors depuis apres avant c afin",
    "es": "el la los las un una unos unas y o pero de del a al en con por para sobre entre es"
    " son fue era ser soy he ha han yo me mi mis nos nuestro nuestra su sus lo se que quien"
    " como donde cuando tambien muy desde hasta este esta estos estas durante",
    "nl": "de het een en of maar van in op aan met voor door bij uit naar om te als dat die is"
    " zijn was ik mijn we ons wij u uw hun ook sinds tot",
    "it": "il lo la i gli le un uno una e o ma di a da in con su per tra fra del della dei delle"
    " al alla nel nella sono ho ha mi mio mia nostro che come anche dal",
    "pt": "o a os as um uma e ou mas de do da dos das em no na nos nas com por para entre sou"
    " sao foi eu meu minha nosso que como tambem desde ate ao",
    "sv": "en ett och eller men av till i pa for med fran som den det de ar var jag min mitt vi"
    " oss hos vid under",
}
_NEUTRAL = {
    " en": "adding added via experience experienced background role roles work worked works"
    " working job position"
    " responsibilities include includes including included using use used uses user-facing"
    " related new latest daily-use day-to-day"
    " hands practical solid strong stronger strongest proven skilled familiar knowledge"
    " comfortable tool tools technology technologies technical-skills stack skill skills area"
    " areas field bring brought brings bringing offer provide provided providing perform"
    " performed conduct conducted carry carried handle handled make made making do get got"
    " spend spent time part parts way well able ability focus focused focusing specialise"
    " specialize specialised specialized specialising specializing based like such successfully"
    " effectively efficiently ensure ensured ensuring enable enabled enabling allow allowed"
    " allowing help-desk feed feeding feeds resulting result-in thereby thus further additionally"
    " moreover furthermore where earlier previously before later then today-as current"
    " currently recent recently hold holds held holding certificate certified-by have"
    " since as-well need needs together level native-level look looking joined join spanning span"
    " act acted acting serve served serving responsible-party large-part professional year"
    " years old career employed person persons people total named called purpose regular"
    " regularly runs",
    "de": "erfahrung erfahrungen rolle arbeit arbeite arbeitet arbeitete arbeiten stelle aufgabe"
    " aufgaben nutze nutzte nutzen verwende verwendet einsatz rahmen bereich bereiche kenntnisse"
    " verfuge bringe sammelte gesammelt taglich zuvor derzeit aktuell aktuelle aktuellen jahr"
    " jahre jahren taetig tatig",
    "fr": "experience experiences travail travaille travaillais poste role utilise utilisant"
    " utilisation cadre domaine competences connaissances actuellement actuel annee annees ans"
    " fait faire mise oeuvre",
    "es": "experiencia trabajo trabaje trabajando puesto uso usando utilizando ambito area"
    " conocimientos actualmente actual ano anos ",
}
_COURTESY = {
    "nl": "geachte heer mevrouw solliciteer functie graag licht toe gesprek vriendelijke groet"
    " werk",
    "it": "buongiorno candido posizione presso lavoro resto disposizione colloquio cordiali saluti",
    "pt": "bom candidato-me candidato vaga trabalho fico disposicao entrevista melhores"
    " cumprimentos dia",
    "sv": "hej soker tjansten som arbete berattar garna mer samtal vanliga halsningar",
    "en": "dear hello hi ms mr mrs mx "
    " apply applying application applied position role vacancy opening opportunity"
    " excited pleased happy glad delighted keen eager interested interest thrilled"
    " enthusiastic motivated welcome chance talk discuss conversation speak meet hear hearing"
    " look forward thank thanks time consideration considering reading attached enclosed find"
    " please cv resume letter kind best warm regards wishes sincerely yours faithfully truly fit"
    " fits match matches matching contribute join joining company organisation organization"
    " appeals appeal asks asked posting advertisement below above would like could how my your"
    " further details detail happy questions question available availability convenience"
    " believe think feel hope let know more learn why what relevant examples example following"
    " these points draw love any interview tell",
    "de": "sehr geehrte geehrter damen herren frau herr liebe lieber hallo guten tag freundlichen"
    " grussen grusen gruse gruss viele beste mit bewerbe bewerbung bewerben stelle position"
    " interesse freue freuen gesprach einladung kennenlernen kennenzulernen anbei unterlagen"
    " lebenslauf ruckmeldung fragen gern gerne verfugung stehe passt dank vielen zeit",
    "fr": "madame monsieur cordialement salutations distinguees agreer expression sinceres"
    " candidature candidate postule poste offre interet entretien rencontrer echanger"
    " disposition reste rester remercie merci attention veuillez bonjour ci joint cv lettre",
    "es": "estimado estimada estimados senor senora saludos cordiales atentamente candidatura"
    " puesto oferta interes entrevista gracias adjunto hola quedo disposicion",
}
# Verbs and nouns of one meaning, for a résumé's purposes; the first word names the group.
SAME = (
    (
        "reduce cut lower decrease shorten shrink trim minimise minimize senken reduzieren"
        " verkurzen verringern reduire diminuer baisser"
    ),
    ("increase raise grow boost lift expand steigern erhohen augmenter aumentar rise rose risen"),
    (
        "build develop create write implement author construct program code rebuild rework"
        " rebuilding design redesign produce entwickeln bauen erstellen creer cree creee creation"
        " concevoir desarrollar crear konstruieren"
    ),
    "move migrate transfer shift migration umziehen",
    "replace substitute switch migrate supersede ersetzen remplacer",
    "introduce introduction implement adopt einfuhren einfuhrung introduire",
    "teach train coach instruct tutor enseigner schulen enseignement",
    "help assist support aid unterstutzen helfen aider",
    "check inspect verify pruefen review",
    "setup establish aufbauen",
    "launch ship release deploy deployment rollout",
    "staff employee personnel mitarbeiter",
    "customer client kunde",
    "external outside",
    "write draft author document redaction rediger verfassen schreiben",
    "team group crew",
    "save saving savings",
    "find found finding identify detect discover",
    "hand handover pass",
    "present presentation",
    "forecast predict forecasting",
    "participate involved participation participer",
    "coordinate coordinator coordination coordonner koordinieren",
    "organise organize organised organized organisation organiser",
    "feed supply",
    "retain retention",
    "contact liaison",
    "certified qualified accredited",
    "qualification certification certificate",
    "doctor doctorate phd doctoral",
    "bachelor bachelors",
    "master masters",
    "automate automation automated",
    "evaluate evaluation assess assessment",
    "improve improvement",
    "passed passe",
    "mathematics maths mathematik mathematiques",
    "study studies",
    "speak spoken",
    "native mother muttersprache maternelle",
    "fluent fluently",
    "basic basics grundkenntnisse",
)
ABBREVIATIONS = {
    "bsc": "bachelor science",
    "bs": "bachelor science",
    "ba": "bachelor arts",
    "beng": "bachelor engineering",
    "bcom": "bachelor commerce",
    "bba": "bachelor business administration",
    "msc": "master science",
    "ms": "master science",
    "ma": "master arts",
    "meng": "master engineering",
    "mba": "master business administration",
    "mphil": "master philosophy",
    "phd": "doctor",
    "dphil": "doctor",
    "sr": "senior",
    "jr": "junior",
    "vp": "vice president",
    "cto": "chief technology officer",
    "ceo": "chief executive officer",
    "cfo": "chief financial officer",
    "swe": "software engineer",
}
PHRASES = {
    "up to date": "update",
    "as many as": "",
    "up to": "",
    "took part in": "participate",
    "take part in": "participate",
    "taking part in": "participate",
    "look after": "care",
    "looked after": "care",
    "looking after": "care",
    "responsible for": "own",
    "in charge of": "own",
    "set up": "setup",
    "setting up": "setup",
    "rolled out": "launch",
    "roll out": "launch",
    "rolling out": "launch",
    "brought in": "bring",
    "bringing in": "bring",
    "carried out": "",
    "carry out": "",
    "led by": "done",
    "run by": "done",
    "ran by": "done",
    "managed by": "done",
    "owned by": "done",
    "headed by": "done",
    "on time": "punctual",
    "stood in for": "substitute",
    "stand in for": "substitute",
    "covered for": "substitute",
    "filled in for": "substitute",
    "from scratch": "scratch",
    "end to end": "endtoend",
    "as well as": "",
    "worked on": "assist",
    "worked with": "assist",
    "member of": "assist",
    "exposure to": "assist",
    "wirkte an": "mitwirken",
    "dear hiring": "",
}
_ASSISTING = (
    "help helped helping assist assisted assisting support supported supporting aid aided"
    " contribute contributed contributing participate participated participation shadow shadowed"
    " collaborate collaborated collaborating involved unterstutze unterstutzte unterstutzt"
    " unterstutzen half helfe mitwirken wirkte mitgewirkt mitarbeit beteiligt participe aide"
    " contribue collabore soutenu ayude apoye participe colabore contribui"
)
_TENTATIVE = (
    "plan planned planning propose proposed proposing evaluate evaluated evaluating assess assessed"
    " explore explored exploring research researched investigate investigated attempt attempted"
    " tried consider considered recommend recommended suggest suggested study studied learn learned"
    " learnt learning prototype prototyped pilot piloted advise advised plante geplant"
    " schlug evaluierte propose etudie planifie propuse estudie planifique"
)
_LEADING = (
    "lead leads led leading head heads headed heading manage manages managed managing direct"
    " directs directed directing oversee oversees oversaw overseeing spearhead spearheaded"
    " operate operated operates operating guide guided guides guiding chair"
    " chaired own owns owned owning supervise supervised supervises supervising run runs ran"
    " coordinate coordinated coordinates coordinating leite leitet leitete geleitet leiten"
    " leitender leitende verantworte verantwortete verantwortlich fuhre dirige diriges pilote"
    " encadre encadrer gere gerer coordonne coordonner coordination dirigi lidere gestione coordine"
    " invented founded mastermind orchestrated lideran directora"
)
_NEGATING = (
    "not no never none nor neither zero cannot n't didn't don't doesn't wasn't isn't without"
    " cancelled canceled stopped abandoned discontinued nicht kein keine keinen keiner nie niemals"
    " ohne pas jamais aucun aucune sans ningun ninguna nunca sin jamas nadie"
)
_SCOPE = (
    " several multiple various different main key core all every entire whole worldwide"
    " global globally international internationally nationwide"
    " company-wide companywide organisation-wide enterprise single handedly singlehandedly alone"
    " sole solely independently personally large largest huge massive massively multinational"
    " executive executives board millions thousands hundreds dozens always best leading first"
    " fully completely entirely dramatically drastically significantly substantially exceptional"
    " excellent outstanding award winning world class perfect perfectly industry critical major"
    " department division organisation teams weltweit alle gesamte gesamten ganze allein"
    " eigenstandig samtliche immer tous toutes tout toute seule seul mondial entier todo toda todos"
    " solo unico mundial"
)
_SENIORITY = (
    "senior junior principal staff chief director vice president head lead executive veteran"
    " seasoned leiter leiterin leitender leitende direktor directeur directrice directora jefe"
)
_LEVELS = (
    "expert experts expertise guru master advanced fluent fluently native proficient deep extensive"
    " comprehensive thorough profound experte expertin fliessend verhandlungssicher courant"
    " bilingue"
    " avance basic beginner intermediate c1 c2 b1 b2 a1 a2 experto fluido"
)
_DEGREES = (
    "bachelor master doctor doctorate phd mba diploma diplom licence doctorat doktor promotion"
    " graduate honours honors gpa degree ingenieur"
)
_TITLES = (
    "engineer developer manager analyst scientist architect consultant designer administrator"
    " specialist officer accountant controller nurse assistant teacher director president intern"
    " head lead practitioner technician coordinator supervisor founder professor programmer"
    " controller treasurer auditor ingenieur konstrukteur entwickler leiter responsable directeur"
)
_CERTIFICATES = "certified certificate certification licence license licensed accredited zertifikat"
_NOW = (
    "currently now today presently nowadays derzeit aktuell momentan heute gegenwartig actuellement"
    " aujourd'hui maintenant actualmente ahora"
)
_PRESENT_WORDS = "present now today current heute jetzt aujourd'hui actuel actualidad ongoing"
_SINCE = "since seit depuis desde"
_APPLYING = (
    "solliciteer functie candido posizione candidato vaga soker tjansten "
    "apply applying application applied position role vacancy opening opportunity interested"
    " interest join joining bewerbe bewerbung stelle candidature postule poste puesto"
)
_PAST = {
    "led": "lead",
    "built": "build",
    "rebuilt": "rebuild",
    "ran": "run",
    "wrote": "write",
    "written": "write",
    "grew": "grow",
    "grown": "grow",
    "taught": "teach",
    "gave": "give",
    "given": "give",
    "kept": "keep",
    "held": "hold",
    "brought": "bring",
    "sold": "sell",
    "made": "make",
    "took": "take",
    "taken": "take",
    "began": "begin",
    "spent": "spend",
    "won": "win",
    "sent": "send",
    "met": "meet",
    "found": "find",
    "drew": "draw",
    "oversaw": "oversee",
    "chose": "choose",
    "chosen": "choose",
    "spoke": "speak",
    "drove": "drive",
    "driven": "drive",
    "dealt": "deal",
    "rose": "rise",
    "bought": "buy",
    "caught": "catch",
    "thought": "think",
    "sought": "seek",
    "was": "be",
    "were": "be",
    "did": "do",
    "half": "helfen",
    "shrank": "shrink",
    "cared": "care",
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP = {language: _words(text) for language, text in _STOP.items()}
STOP_WORDS = frozenset().union(*STOP.values())
NEUTRAL = frozenset().union(*map(_words, _NEUTRAL.values()))
COURTESY = frozenset().union(*map(_words, _COURTESY.values()))
ASSISTING = _words(_ASSISTING)
LEADING = _words(_LEADING)
TENTATIVE = _words(_TENTATIVE)
NEGATING = _words(_NEGATING)
SCOPE = _words(_SCOPE)
SENIORITY = _words(_SENIORITY)
LEVELS = _words(_LEVELS)
DEGREES = _words(_DEGREES)
TITLES = _words(_TITLES)
CERTIFICATES = _words(_CERTIFICATES)
NOW = _words(_NOW)
PRESENT_WORDS = _words(_PRESENT_WORDS)
SINCE = _words(_SINCE)
APPLYING = _words(_APPLYING)
PAST = dict(_PAST)
