"""The words that tell a title's function, discipline and seniority, most specific first.

All match folded text in English, French, German, Spanish, Portuguese and some others.
"""

import re

from jobsteward.discover.understand.model import EmploymentType, Seniority

_ENGINEER = (
    r"(?:engineer\w*|developer\w*|programm(?:er|eur|ierer|ador)\w*|developp\w*"
    r"|ingenieur\w*|ingenier\w*|engenheir\w*"
    r"|entwickler\w*|desarrollador\w*|desenvolvedor\w*|dev|architect\w*"
    r"|architekt\w*|architecte|arquitecto|arquiteto|swe|coder"
    r"|software|logiciel\w*|programmation|programming|genie|entwicklung|desarrollo"
    r"|sviluppatore|informatik\w*|ontwikkelaar|utvecklare"
    r"|systemutvecklare|programista|specialist|lead|intern|stagiaire|technologist|エンジニア)"
)

FUNCTIONS: tuple[tuple[str, str | None, re.Pattern[str]], ...] = tuple(
    (function, discipline, re.compile(pattern))
    for function, discipline, pattern in (
        (
            "people",
            None,
            r"\b(?:recruit\w*|recrut\w*|talent (?:acquisition|partner|sourc\w+|scout)|sourcer"
            r"|sourcing|human resources|ressources humaines|recursos humanos|hr|hrbp|rh"
            r"|people (?:operations|ops|partner|team|& culture|and culture|business|manager"
            r"|lead|generalist|analytics|experience)|payroll|(?:head of|vp|chief"
            r"|director of|vp of) people|personalreferent\w*"
            r"|compensation (?:analyst|manager|partner)|total rewards|learning (?:and"
            r"|&) development|employee experience|culture)\b",
        ),
        (
            "legal",
            None,
            r"\b(?:legal|counsel|attorney|lawyer|paralegal|avocat|jurist\w*|rechtsanw\w+"
            r"|privacy officer|compliance|aml|notaire|abogad\w+|advogad\w+"
            r"|regulatory affairs)\b",
        ),
        (
            "healthcare",
            None,
            r"\b(?:nurs(?:e|es|ing)|rn|lpn|physician|doctor|therapist|pharmac\w+"
            r"|clinical (?!research|data)\w+|medical assistant|phlebotom\w+|anesthesi\w+"
            r"|caregiver|dentist|dental|patient care|surgeon|infirmi\w+|pfleg\w+"
            r"|krankenschwester|arzt|arztin|enfermer\w+|veterinar\w+|care (?:assistant"
            r"|worker|manager|management)|case manager|radiolog\w+|paramedic|midwife"
            r"|social worker"
            r"|psycholog\w+|optometrist|hebamme|mfa|sonographer|medical technologist)\b",
        ),
        (
            "education",
            None,
            r"\b(?:teacher|teaching|tutor|professor|lecturer|instructor|enseignant\w*"
            r"|lehrer\w*|profesor\w*|faculty|educator|kindergarten\w*|erzieher\w*|adjunct"
            r"|trainer|curriculum)\b",
        ),
        (
            "transport",
            None,
            r"\b(?:driver|fueler|fueller|shunter|cdl|trucker|truck|courier|chauffeur"
            r"|fahrer\w*|delivery (?:associate|driver)|pilot|flight attendant|cabin crew"
            r"|logisti\w+|warehouse|lager\w*"
            r"|forklift|supply chain|dispatcher|livreur|kierowca|conductor|motorista"
            r"|conducteur|magasinier|fleet)\b",
        ),
        (
            "hospitality",
            None,
            r"\b(?:barista|cook|chef(?!\W*d[e'])|waiter|waitress|server(?! engineer)"
            r"|bartender|hotel\w*|housekeep\w+|food service|kitchen|kellner\w*|koch|kochin"
            r"|cuisinier\w*|cocinero|host|hostess|dishwasher|catering|restaurant)\b",
        ),
        (
            "quant",
            "quant",
            r"\b(?:quant|quantitative|finance quantitative|algorithmic trad\w+"
            r"|quant\w* (?:researcher|trader|developer|analyst))\b",
        ),
        (
            "security",
            None,
            r"\b(?:cyber ?-?security|security|infosec|appsec|secops|soc analyst"
            r"|penetration test\w+|pentest\w*|cybersecurite|securite|sicherheit\w*"
            r"|ciberseguridad|vulnerability|threat|red team|blue team|grc"
            r"|zero trust)\b(?! (?:guard|officers?|agent))",
        ),
        (
            "it",
            None,
            r"\b(?:it (?:support|help ?desk|service|manager|director|specialist|technician"
            r"|admin\w*"
            r"|operations|analyst)|systems? administrator|sysadmin|network (?:engineer"
            r"|administrator"
            r"|technician|architect))\b",
        ),
        ("engineering", "software", r"\b(?:cto|chief (?:technology|technical) officer)\b"),
        (
            "engineering",
            "ml_ai",
            rf"\b(?:machine learning|deep learning|ml|mlops|llm|nlp|computer vision|gen ?ai"
            rf"|generative ai|artificial intelligence|apprentissage automatique"
            rf"|apprentissage profond|intelligence artificielle|kunstliche intelligenz"
            rf"|maschinelles lernen|inteligencia artificial|vision par ordinateur"
            rf"|reinforcement learning|applied ai|ai|ia|ki)\b(?=.*\b(?:{_ENGINEER}"
            rf"|scientist|research\w*|scientifique|chercheur|resident|ops|agentic|systems"
            rf"|intern\w*|stage|stagiaire)\b)",
        ),
        (
            "engineering",
            "ml_ai",
            rf"\b(?:{_ENGINEER}|scientist|research\w*|stagiaire\w*|stage"
            rf"|intern\w*)\b.*\b(?:machine learning|deep learning|mlops|llm|nlp"
            rf"|computer vision|generative ai|apprentissage automatique"
            rf"|apprentissage profond|intelligence artificielle)\b",
        ),
        (
            "data",
            "data_engineering",
            r"\b(?:data|analytics|etl|bi|big data|donnees|daten|dados"
            r"|datos)[ -](?:platform |warehouse |infrastructure |pipeline )?(?:engineer\w*"
            r"|developer|architect\w*|ingenieur\w*|entwickler\w*)\b|\b(?:ingenieur\w*"
            r"|ingenier\w*|engenheir\w*|developpeur\w*|developpement)\b.*\b(?:donnees|dados"
            r"|datos|data)\b|データエンジニア|\bdatabase (?:engineer|administrator|developer)\b"
            r"|\bdba\b",
        ),
        (
            "data",
            "data_science",
            r"\bdata scien\w+|\bscience des donnees|\bscientifique (?:de|des) donnees"
            r"|\bciencia de (?:datos|dados)|\bcientifico de datos|\bdatenwissenschaft\w*"
            r"|\bdecision scien\w+|\bapplied scientist|\bstatistic\w+|\bbiostatistic\w+",
        ),
        (
            "data",
            "data_analysis",
            r"\b(?:data|business intelligence|bi|insights?|analytics|reporting|donnees"
            r"|daten|datos|dados|product|web|marketing)[ -]analy(?:st|ste|sis|tics)\w*"
            r"|\banal[iy]st\w*\b.*\b(?:data|donnees|datos|dados|bi)\b|\bdata (?:associate"
            r"|specialist|manager|management|governance|steward|operations|intern)"
            r"|\banalyse (?:de |des )?donnees|\bhead of data\b|\banalytics\b"
            r"|\b(?:business intelligence|big data|data)\b",
        ),
        ("retail", None, r"\bretail (?:sales|associate|assistant|manager|supervisor)"),
        ("engineering", "software", r"\bresearch engineer\w*"),
        (
            "sales",
            None,
            r"\b(?:sales|account (?:executive|manager|director|representative)"
            r"|business development(?! engineer)|sdr|bdr|pre-?sales|vendeur\w*|vertrieb\w*"
            r"|verkauf\w*|ventas|vendas|comercial|commercial (?:director|manager|lead)"
            r"|account management|partnerships?|partner (?:manager|development)"
            r"|territory manager|inside sales|revenue|deal desk|go-to-market|gtm|ventes"
            r"|handlowiec|ae|quota|customer acquisition|commerciale?s?|technico-commercial"
            r"|konto)\b(?!.*\b(?:software engineer|backend|data engineer)\b)",
        ),
        (
            "support",
            None,
            r"\b(?:customer (?:success|support|service|experience|care|activation"
            r"|onboarding)|technical support|support (?:engineer|specialist|analyst|agent"
            r"|representative|lead|manager|technician)|client (?:success|service|services"
            r"|support)|service (?:client|desk)|help ?desk|kundenberater\w*|kundenservice"
            r"|kundenbetreu\w+|atencion al cliente|atendimento|contact center|call center"
            r"|soporte|product support|support)\b",
        ),
        (
            "marketing",
            None,
            r"\b(?:marketing|marketer|growth(?! engineer)|brand|content (?:writer"
            r"|strategist|manager|creator|marketing)|copywriter|seo|sem|social media"
            r"|community manager|public relations|pr manager|communications?|merchandis\w+"
            r"|demand generation|paid media|advertis\w+|media buyer|redacteur"
            r"|event(?:s)? (?:manager|coordinator)|crm manager|evangelist"
            r"|developer relations|devrel|advocate)\b",
        ),
        (
            "design",
            None,
            r"\b(?:(?:product|ux|ui|ux/ui|ui/ux|visual|graphic|brand|interaction|web"
            r"|industrial|motion|service|level|game|systems?|audio|sound|narrative"
            r"|experience|creative|lead|senior|staff) designer|designer|design (?:lead"
            r"|manager|director|system\w*|intern)|ux|user research\w*|ux research\w*"
            r"|concepteur (?:de|sonore|graphique)\b.*|graphiste|diseno|diseñador\w*"
            r"|disenador\w*|grafik\w*|artist\w*|artiste|animat(?:or|eur|rice)\w*|modeler"
            r"|modeleur\w*|illustrator|art director|creative (?:director|lead)"
            r"|game director|directeur\W*(?:trice)?\W*de jeu|video (?:editor|producer"
            r"|specialist))\b",
        ),
        (
            "product",
            None,
            r"\b(?:product (?:manager|management|owner|lead|director|operations|ops"
            r"|strategy|head|vp|specialist|analyst|marketing)|produktmanager\w*"
            r"|chef\w* de produit|gestionnaire de produit|gerente de produto|vp of product"
            r"|vp,? product|head of product|director of product|chief product|group pm"
            r"|technical pm|apm|tpm|technical program manager|technical product"
            r"|product intern|gestion de produit|product manager\w*)\b",
        ),
        (
            "engineering",
            "quality",
            r"\b(?:qa|sdet|quality (?:assurance )?(?:engineer|analyst|tester|assurance"
            r"|automation)|test(?:er|ing|eur\w*)?(?: automation)? (?:engineer|analyst|lead"
            r"|ingenieur)|test automation|tester|testeur|software test\w*|assurance qualite"
            r"|validation engineer|qualitatssicherung|in test)\b",
        ),
        (
            "engineering",
            "embedded",
            r"\b(?:embedded|firmware|micrologiciel|embarque\w*|eingebettet\w*|embebid\w*"
            r"|embarcad\w*|bsp|rtos|device driver|bare metal|kernel)\b",
        ),
        (
            "engineering",
            "hardware",
            r"\b(?:hardware|asic|fpga|rtl|vlsi|silicon|soc design|pcb|analog|rf|chip"
            r"|semiconductor|circuit\w*|physical design|design verification|materiel"
            r"|photonic\w*|electronics?|electronique|electrical|elektro\w*|electrique"
            r"|signal integrity)\b(?=.*\b(?:engineer\w*|ingenieur\w*|designer|intern\w*"
            r"|stag\w+|architect|technician|elektroniker\w*|design|verification|lead"
            r"|manager)\b)|\bgenie electrique\b",
        ),
        (
            "engineering",
            "devops",
            r"\b(?:devops|dev ops|devsecops|sre|site reliability|infrastructure"
            r"|platform engineer\w*|cloud|build engineer|buildops|release engineer"
            r"|reliability engineer|plateforme|infra|kubernetes|systems? administrator"
            r"|sysadmin|production engineer)\b(?=.*\b(?:engineer\w*|developer|architect\w*"
            r"|ingenieur\w*|administrator|sysadmin|specialist|intern\w*|stag\w+|lead"
            r"|manager|ops|devops|sre|infonuagique)\b)|\b(?:devops|sre|devsecops|buildops"
            r"|infonuagique|platform engineer\w*)\b",
        ),
        (
            "it",
            None,
            r"\b(?:it|information technology|system(?:s)? admin\w*|network (?:engineer"
            r"|administrator|technician|architect)|desktop support|sysadmin|it support"
            r"|reseau\w*|technologies de l'information|netzwerk\w*|systemadministrator\w*"
            r"|sap|erp|salesforce (?:admin\w*|developer)|servicenow|workday (?:analyst"
            r"|consultant)|informatique|ti)\b(?=.*\b(?:manager|director|support|specialist"
            r"|analyst\w*|technician|engineer|admin\w*|intern\w*|stag\w+|lead|consultant\w*"
            r"|architect|head|operations|services|developer|technologist|systems?"
            r"|projects?)\b)",
        ),
        (
            "engineering",
            "mobile",
            rf"\b(?:ios|android|mobile|react native|flutter|swift"
            rf"|kotlin)\b(?=.*{_ENGINEER})|{_ENGINEER}.*\b(?:ios|android|mobile"
            rf"|react native|flutter)\b",
        ),
        ("engineering", "fullstack", r"\b(?:full[ -]?stack|fullstack)\b"),
        (
            "engineering",
            "frontend",
            r"\b(?:front[ -]?end|frontend|react|angular|vue|web (?:developer|engineer|ui)"
            r"|ui (?:engineer|developer)|integrateur web)\b",
        ),
        (
            "engineering",
            "backend",
            r"\b(?:back[ -]?end|backend|server(?:-side)? (?:engineer|developer)"
            r"|api engineer|distributed systems|バックエンド)\b|バックエンド",
        ),
        (
            "engineering",
            "blockchain",
            r"\b(?:blockchain|smart contract|solidity|web3|solana|ethereum|evm"
            r"|protocol engineer|rust engineer|on-?chain|defi)\b(?=.*(?:engineer|developer"
            r"|architect|lead|researcher))",
        ),
        (
            "engineering",
            "game",
            r"\b(?:gameplay|game|engine|graphics|graphique|graphismes|moteur|unity|unreal"
            r"|jeu|jeux)\b.*\b(?:programm\w+|developer|engineer"
            r"|developpeur\w*)\b|\b(?:programm\w+|developpeur\w*|engineer) (?:de |d'"
            r"|of )?(?:gameplay|graphi\w+|moteur|outils|jeu)\b",
        ),
        (
            "engineering",
            "mechanical",
            r"\b(?:mechanical|mechatronic\w*|mecanique|maschinenbau\w*|mecanic\w+|aerospace"
            r"|aeronaut\w+|thermal|structural|manufacturing engineer"
            r"|process (?:development )?engineer|industrial engineer\w*|automotive engineer"
            r"|propulsion|hydraulic\w*|fuel (?:cell )?system\w* .*engineer|control laws"
            r"|robotics?|robotique|mechanik engineer|konstrukteur\w*|materials engineer|cfd"
            r"|fea)\b",
        ),
        (
            "engineering",
            "civil",
            r"\b(?:civil engineer\w*|genie civil|structural engineer|geotechnical"
            r"|bauingenieur\w*|site engineer|project engineer|environmental engineer"
            r"|chemical engineer|nuclear|petroleum engineer|field (?:service )?engineer"
            r"|hvac engineer|water engineer|transportation engineer)\b",
        ),
        (
            "engineering",
            "software",
            r"\b(?:software|logiciel\w*|softwareentwickl\w*|softwareingenieur\w*|swe|sde"
            r"|member of technical staff|technical staff|web develop\w*"
            r"|application develop\w*|applications? (?:engineer|developer)"
            r"|full cycle developer|forward deployed engineer|product engineer"
            r"|developer experience|compiler|programming|programmation|programm(?:er"
            r"|eur)\w*|programador\w*|developer|developp\w*|entwickler\w*|desarrollador\w*"
            r"|desenvolvedor\w*|programista|sviluppatore|genie logiciel|java|python|golang"
            r"|\.net|php|node|ruby|rust|c\+\+|computer science|tech lead|technical lead\w*"
            r"|engineering (?:manager|director|lead|intern|technical leader)|(?:head"
            r"|director|vp|vice president|chief)[ ,]+(?:of )?engineering|vp engineering"
            r"|solutions? (?:architect|engineer)|integration\w* engineer|platform|backend"
            r"|infrastructure|systems? engineer\w*|cto|informaticien\w*|informatique"
            r"|computing|technical architect|enterprise architect)\b|ソフトウェア|エンジニア",
        ),
        (
            "finance",
            None,
            r"\b(?:accountant|accounting|finance|financial|financier\w*|controller"
            r"|controlling|controleur|auditor|audit|treasury|tax|bookkeep\w*|fp&a"
            r"|buchhalt\w*|finanz\w*|comptab\w+|contable|contabil\w*|contador\w*|actuar\w+"
            r"|underwrit\w+|investment|investissement|banking|banker|credit|trader|trading"
            r"|equity (?:research|analyst)|accounts (?:payable|receivable)|billing"
            r"|procurement|purchasing|acheteur\w*|einkauf\w*|cfo|risk (?:analyst|manager|&)"
            r"|wealth|claims|insurance|loan\w*|lending|mortgage|capital markets"
            r"|portfolio manager|defined contributions)\b",
        ),
        (
            "research",
            None,
            r"\b(?:research\w*|scientist|chercheu\w+|wissenschaft\w*|forsch\w*"
            r"|investigador\w*|postdoc\w*|phd|laborat\w+|lab technician|biolog\w+"
            r"|chemi(?:st|stry)|chimist\w*|physic(?:s|ist)|scientifique|breeder|genomic\w*"
            r"|spectrometry|epidemiolog\w+|r&d)\b",
        ),
        (
            "manufacturing",
            None,
            r"\b(?:operator|operateur\w*|operator\w* vyroby|production|produktion\w*"
            r"|manufactur\w+|assembl\w+|machinist|welder|solderer|fabricat\w+|cnc"
            r"|maintenance|mechanic|mecanicien\w*|mechaniker\w*|technician|technicien\w*"
            r"|techniker\w*|tecnico|electrician|electricien\w*|elektriker\w*"
            r"|elektroniker\w*|plant manager"
            r"|machine|quality (?:control|inspector|technician|manager)|qualidade"
            r"|millwright|packer|laborer|labor|facilities|installations?|process technician"
            r"|vyrob\w*|monteur\w*|schlosser\w*|carpen\w+|plumber|painter|mason|electrical"
            r"|tech-\w+|qc)\b",
        ),
        (
            "construction",
            None,
            r"\b(?:construction|site (?:manager|supervisor)|bauleiter\w*|surveyor|estimator"
            r"|quantity survey\w*|architectural|civil|supervisor \(civil\)|foreman"
            r"|superintendent|safety officer|hse|ehs)\b",
        ),
        (
            "retail",
            None,
            r"\b(?:stores?|retail|cashier|shop|boutique|stylist|visual merchandiser"
            r"|filial\w*|verkaufer\w*|kassier\w*|caissier\w*|dependiente|promotor\w*"
            r"|sales associate|vendedor\w*|beauty advisor|stock(?:er| associate)?)\b",
        ),
        (
            "operations",
            None,
            r"\b(?:operations?|ops|program manager|project (?:manager|coordinator|lead"
            r"|management|director)|chief of staff|chef\w* de projet|projektleit\w*"
            r"|projektmanag\w*|gestionnaire de projet|gerente de proyecto\w*|scrum master"
            r"|agile coach|delivery (?:manager|lead)|strategy|strategic|business analyst"
            r"|business operations|bizops|consult\w+|berater\w*|implementation"
            r"|process (?:manager|analyst)|transformation|program (?:director|lead"
            r"|coordinator)|pmo|change manager|trust & safety|localization|vendor|logistics"
            r"|planner|planning|deputy project|manager project\w*)\b",
        ),
        (
            "admin",
            None,
            r"\b(?:office (?:manager|coordinator|administrator|assistant)|administrative"
            r"|administrator|executive assistant|assistant\w*|receptionist|secretary"
            r"|secretaire|sekretar\w*|clerk|empfang\w*|coordinator|coordinateur\w*"
            r"|data entry|sachbearbeiter\w*|administratif|assistente|auxiliar|burokauf\w*"
            r"|koordinator\w*|personal assistant)\b",
        ),
        (
            "public_safety",
            None,
            r"\b(?:security (?:guard|officers?|agent)|guard|police|firefighter|patrol"
            r"|lifeguard|agent de securite|wachmann|surveillance officer|loss prevention)\b",
        ),
        (
            "media",
            None,
            r"\b(?:journalist\w*|reporter|editor|anchor|producer|writer|translator"
            r"|traducteur|photographer|videographer|redaktion\w*|news|broadcast\w*)\b",
        ),
        (
            "executive",
            None,
            r"\b(?:ceo|coo|chief executive|general manager|managing director"
            r"|geschaftsfuhr\w*|directeur general|president|founder|co-?founder)\b",
        ),
        (
            "engineering",
            None,
            r"\b(?:engineer\w*|ingenieur\w*|ingenier\w*|engenheir\w*|architect|architekt\w*"
            r"|genie|inzynier\w*|ingegnere|eng|engg)\b",
        ),
    )
)
"""Function, discipline and the words for them; the first that matches counts."""

_SENIORITY: tuple[tuple[Seniority, str], ...] = (
    (
        "intern",
        r"\b(?:intern|interns|internship|stagiaire|praktik\w+|werkstudent\w*"
        r"|working student|co-?op(?! (?:bank|manager|food))|trainee|apprenti\w*"
        r"|apprentice\w*|becari[oa]|practicas|estagi\w+|tirocini\w*|alternan\w+"
        r"|^stage(?! manager| director| technician| designer|hand)|stage(?= (?:en|de"
        r"|pfe|d'))|staz\w*|placement student|summer analyst"
        r"|student)\b",
    ),
    (
        "executive",
        r"\b(?:chief (?!of staff)\w+(?: \w+)? officer|c[etofpmi]o|cmo|cro|ciso|svp|evp"
        r"|senior vice president|executive vice president|vp|vice[- ]president|avp"
        r"|president|geschaftsfuhr\w*|managing director|partner(?= at| -|$)"
        r"|head of engineering org)\b",
    ),
    (
        "director",
        r"\b(?:director\w*|directeur\w*|directrice|direktor\w*|head of|head|diretor\w*"
        r"|leiter(?:in)?(?! team)|bereichsleit\w*)\b(?! designer)",
    ),
    (
        "principal",
        r"(?:^|, |- |\(|/ ?|senior |sr |sr\. )principal\b|\bprincipal (?=\w)"
        r"|\b(?:engineer|developer|architect|scientist|manager|designer) principal\b"
        r"|\b(?:distinguished|fellow)\b",
    ),
    ("staff", r"\bstaff\b(?! accountant| nurse| writer|ing)"),
    (
        "manager",
        r"\b(?:engineering manager|manager|managers|gestionnaire|gerente|leiter\w*"
        r"|teamleit\w*|supervisor|superviseur\w*|abteilungsleit\w*|responsable d'equipe"
        r"|chef\w* d.?equipe)\b",
    ),
    (
        "lead",
        r"\b(?:lead|leader|team lead|tech lead|leitend\w*|teamlead|chef\W*d.equipe"
        r"|responsable|lider|principal)\b(?! generation)",
    ),
    (
        "senior",
        r"\b(?:senior\w*|sr|snr|senior\W?e|sénior|expert\w*|experienced|advanced|iii|iv"
        r"|l5|confirme\w*|experimentad\w*|especialista|pleno-senior)\b|\bsr\b\.?",
    ),
    (
        "entry",
        r"\b(?:junior\w*|jr|entry[- ]level|graduate|new grad\w*|grad|early career"
        r"|associate(?! (?:director|manager|partner|general|vice|principal|dean"
        r"|professor|creative|product director))|assistant(?! (?:manager|director|vice"
        r"|professor|store|to))|debutant\w*|berufseinsteiger\w*|absolvent\w*"
        r"|recem-formad\w*|trainee|apm|i(?= |$|,|-))\b",
    ),
    (
        "mid",
        r"\b(?:mid|mid-level|midlevel|intermediate|ii|pleno|intermediaire|medior"
        r"|regular|l4|mid-senior)\b",
    ),
)
SENIORITY = tuple((value, re.compile(pattern)) for value, pattern in _SENIORITY)
"""Seniority and the words for it, in the order in which they count."""

NOT_INTERNS = re.compile(
    r"\b(?:stage manager|stage hand|stagehand|multi-?stage|early[- ]stage"
    r"|late[- ]stage|growth[- ]stage"
    r"|(?:intern(?:ship)?s?|student|apprentic\w+|co-?op|graduate|trainee|university"
    r"|early career)s? (?:programs?|programme|recruit\w+|coordinator|manager"
    r"|experience|hiring|success|services|engagement|affairs|advisor|counsel\w+"
    r"|life|support|housing)"
    r"|internal|international|internist)\b"
)
"""Titles about interns or stages, whose holder is none (P122)."""

_EMPLOYMENT: tuple[tuple[EmploymentType, str], ...] = (
    (
        "internship",
        r"\b(?:intern|interns|internship|stagiaire|praktik\w+|working student"
        r"|werkstudent\w*|co-?op|becari[oa]|estagi\w+|tirocinio|stage)\b",
    ),
    (
        "apprenticeship",
        r"\b(?:apprentic\w*|apprenti\w*|alternan\w+|ausbildung|azubi|auszubildende\w*"
        r"|duales studium)\b",
    ),
    (
        "part_time",
        r"\b(?:part[- ]?time|teilzeit\w*|temps partiel|media jornada|tiempo parcial"
        r"|meio periodo|minijob|deeltijd|deltid|casual|per diem|prn)\b",
    ),
    (
        "temporary",
        r"\b(?:temporary|temp|seasonal|fixed[- ]term|befristet\w*|cdd|saisonn\w+"
        r"|maternity (?:cover|leave)|conge de maternite|interim\w*|temporar\w*|eventual"
        r"|duree determinee|defined duration|zeitarbeit|ftc|limited)\b",
    ),
    (
        "contract",
        r"\b(?:contract(?:or|ors|ing)?(?! to hire| manager| administrator| specialist)"
        r"|freelance\w*|1099|c2c|corp[- ]to[- ]corp|freiberuf\w*|independant\w*"
        r"|autonomo|self[- ]employed|b2b|consultant contract|prestataire|pj"
        r"|contract to hire)\b",
    ),
    ("volunteer", r"\b(?:volunteer\w*|unpaid|ehrenamt\w*|benevol\w+|voluntari\w+)\b"),
    (
        "full_time",
        r"\b(?:full[- ]?time|vollzeit\w*|temps plein|cdi|jornada completa"
        r"|tiempo completo|tempo integral|permanent|festanstellung|unbefristet\w*"
        r"|plny uvazek|voltijd|heltid|pelny etat|clt|regular|full time permanent"
        r"|duree indeterminee|fulltime)\b|正社員",
    ),
)
EMPLOYMENT = tuple((value, re.compile(pattern)) for value, pattern in _EMPLOYMENT)
"""Employment types and the words for them; the first that matches counts."""
