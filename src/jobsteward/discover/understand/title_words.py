"""The words that tell a title's function, discipline and seniority, most specific first.

All match folded text in English, French, German, Spanish, Portuguese and some others.
"""

import re

from jobsteward.discover.understand.model import EmploymentType, Seniority

_ENGINEER = (
    r"(?:engineer\w*|developer\w*|programm(?:er|eur|ierer|ador)\w*|developp\w*|ingenieur\w*|ingenier\w*|engenheir\w*"
    r"|entwickler\w*|desarrollador\w*|desenvolvedor\w*|dev|architect\w*|architekt\w*|architecte|arquitecto|arquiteto|swe|coder"
    r"|software|logiciel\w*|programmation|programming|genie|entwicklung|desarrollo|sviluppatore|informatik\w*|ontwikkelaar|utvecklare"
    r"|systemutvecklare|programista|specialist|lead|intern|stagiaire|technologist|エンジニア)"
)

FUNCTIONS: tuple[tuple[str, str | None, re.Pattern[str]], ...] = tuple(
    (function, discipline, re.compile(pattern))
    for function, discipline, pattern in (
        ("people", None, r"\b(?:recruit\w*|talent (?:acquisition|partner|sourc\w+|scout)|sourcer|sourcing|human resources|ressources humaines|recursos humanos|hr|hrbp|rh|people (?:operations|ops|partner|team|& culture|and culture|business|manager|lead|generalist|analytics|experience)|payroll|personalreferent\w*|compensation (?:analyst|manager|partner)|total rewards|learning (?:and|&) development|employee experience|culture)\b"),
        ("legal", None, r"\b(?:legal|counsel|attorney|lawyer|paralegal|avocat|jurist\w*|rechtsanw\w+|privacy officer|compliance|aml|notaire|abogad\w+|advogad\w+|regulatory affairs)\b"),
        ("healthcare", None, r"\b(?:nurs(?:e|es|ing)|rn|lpn|physician|doctor|therapist|pharmac\w+|clinical (?!research|data)\w+|medical assistant|phlebotom\w+|anesthesi\w+|caregiver|dentist|dental|patient care|surgeon|infirmi\w+|pfleg\w+|krankenschwester|arzt|arztin|enfermer\w+|veterinar\w+|care (?:assistant|worker|manager|management)|case manager|radiolog\w+|paramedic|midwife|psycholog\w+|optometrist|hebamme|mfa|sonographer|medical technologist)\b"),
        ("education", None, r"\b(?:teacher|teaching|tutor|professor|lecturer|instructor|enseignant\w*|lehrer\w*|profesor\w*|faculty|educator|kindergarten\w*|erzieher\w*|adjunct|trainer|curriculum)\b"),
        ("transport", None, r"\b(?:driver|fueler|fueller|shunter|cdl|trucker|truck|courier|chauffeur|fahrer\w*|delivery (?:associate|driver)|pilot|logisti\w+|warehouse|lager\w*|forklift|supply chain|dispatcher|livreur|kierowca|conductor|motorista|conducteur|magasinier|fleet)\b"),
        ("hospitality", None, r"\b(?:barista|cook|chef(?!\W*d[e'])|waiter|waitress|server(?! engineer)|bartender|hotel\w*|housekeep\w+|food service|kitchen|kellner\w*|koch|kochin|cuisinier\w*|cocinero|host|hostess|dishwasher|catering|restaurant)\b"),
        ("quant", "quant", r"\b(?:quant|quantitative|finance quantitative|algorithmic trad\w+|quant\w* (?:researcher|trader|developer|analyst))\b"),
        ("security", None, r"\b(?:cyber ?-?security|security|infosec|appsec|secops|soc analyst|penetration test\w+|pentest\w*|cybersecurite|securite|sicherheit\w*|ciberseguridad|vulnerability|threat|red team|blue team|grc|zero trust)\b(?! (?:guard|officers?|agent))"),
        ("engineering", "ml_ai", rf"\b(?:machine learning|deep learning|ml|mlops|llm|nlp|computer vision|gen ?ai|generative ai|artificial intelligence|apprentissage automatique|apprentissage profond|intelligence artificielle|kunstliche intelligenz|maschinelles lernen|inteligencia artificial|vision par ordinateur|reinforcement learning|applied ai|ai|ia|ki)\b(?=.*\b(?:{_ENGINEER}|scientist|research\w*|scientifique|chercheur|resident|ops|agentic|systems|intern\w*|stage|stagiaire)\b)"),
        ("engineering", "ml_ai", rf"\b(?:{_ENGINEER}|scientist|research\w*|stagiaire\w*|intern\w*)\b.*\b(?:machine learning|deep learning|mlops|llm|nlp|computer vision|generative ai|apprentissage automatique|apprentissage profond|intelligence artificielle)\b"),
        ("data", "data_engineering", r"\b(?:data|analytics|etl|bi|big data|donnees|daten|dados|datos)[ -](?:platform |warehouse |infrastructure |pipeline )?(?:engineer\w*|developer|architect\w*|ingenieur\w*|entwickler\w*)\b|\b(?:ingenieur\w*|ingenier\w*|engenheir\w*|developpeur\w*|developpement)\b.*\b(?:donnees|dados|datos|data)\b|データエンジニア|\bdatabase (?:engineer|administrator|developer)\b|\bdba\b"),
        ("data", "data_science", r"\bdata scien\w+|\bscience des donnees|\bscientifique (?:de|des) donnees|\bciencia de (?:datos|dados)|\bcientifico de datos|\bdatenwissenschaft\w*|\bdecision scien\w+|\bapplied scientist|\bstatistic\w+|\bbiostatistic\w+"),
        ("data", "data_analysis", r"\b(?:data|business intelligence|bi|insights?|analytics|reporting|donnees|daten|datos|dados|product|web|marketing)[ -]analy(?:st|ste|sis|tics)\w*|\banalyst\w*\b.*\b(?:data|donnees|datos|dados|bi)\b|\bdata (?:associate|specialist|manager|management|governance|steward|operations|intern)|\bhead of data\b|\banalytics\b|\b(?:business intelligence|big data|data)\b"),
        ("sales", None, r"\b(?:sales|account (?:executive|manager|director|representative)|business development(?! engineer)|sdr|bdr|pre-?sales|vendeur\w*|vertrieb\w*|verkauf\w*|ventas|vendas|comercial|commercial (?:director|manager|lead)|account management|partnerships?|partner (?:manager|development)|territory manager|inside sales|revenue|deal desk|go-to-market|gtm|ventes|handlowiec|ae|quota|customer acquisition|commerciale?s?|technico-commercial|konto)\b(?!.*\b(?:software engineer|backend|data engineer)\b)"),
        ("support", None, r"\b(?:customer (?:success|support|service|experience|care|activation|onboarding)|technical support|support (?:engineer|specialist|analyst|agent|representative|lead|manager|technician)|client (?:success|service|services|support)|service (?:client|desk)|help ?desk|kundenberater\w*|kundenservice|kundenbetreu\w+|atencion al cliente|atendimento|contact center|call center|soporte|product support|support)\b"),
        ("marketing", None, r"\b(?:marketing|marketer|growth(?! engineer)|brand|content (?:writer|strategist|manager|creator|marketing)|copywriter|seo|sem|social media|community manager|public relations|pr manager|communications?|merchandis\w+|demand generation|paid media|advertis\w+|media buyer|redacteur|event(?:s)? (?:manager|coordinator)|crm manager|evangelist|developer relations|devrel|advocate)\b"),
        ("design", None, r"\b(?:(?:product|ux|ui|ux/ui|ui/ux|visual|graphic|brand|interaction|web|industrial|motion|service|level|game|systems?|audio|sound|narrative|experience|creative|lead|senior|staff) designer|designer|design (?:lead|manager|director|system\w*|intern)|ux|user research\w*|ux research\w*|concepteur (?:de|sonore|graphique)\b.*|graphiste|diseno|diseñador\w*|disenador\w*|grafik\w*|artist\w*|artiste|animat(?:or|eur|rice)\w*|modeler|modeleur\w*|illustrator|art director|creative (?:director|lead)|game director|directeur\W*(?:trice)?\W*de jeu|video (?:editor|producer|specialist))\b"),
        ("product", None, r"\b(?:product (?:manager|management|owner|lead|director|operations|ops|strategy|head|vp|specialist|analyst|marketing)|produktmanager\w*|chef\w* de produit|gestionnaire de produit|gerente de produto|vp of product|vp,? product|head of product|director of product|chief product|group pm|technical pm|apm|tpm|technical program manager|technical product|product intern|gestion de produit|product manager\w*)\b"),
        ("engineering", "quality", r"\b(?:qa|sdet|quality (?:assurance )?(?:engineer|analyst|tester|assurance|automation)|test(?:er|ing|eur\w*)?(?: automation)? (?:engineer|analyst|lead|ingenieur)|test automation|tester|testeur|software test\w*|assurance qualite|validation engineer|qualitatssicherung|in test)\b"),
        ("engineering", "embedded", rf"\b(?:embedded|firmware|micrologiciel|embarque\w*|eingebettet\w*|embebid\w*|embarcad\w*|bsp|rtos|device driver|bare metal|kernel)\b"),
        ("engineering", "hardware", r"\b(?:hardware|asic|fpga|rtl|vlsi|silicon|soc design|pcb|analog|rf|chip|semiconductor|circuit\w*|physical design|design verification|materiel|photonic\w*|electronics?|electronique|electrical|elektro\w*|electrique|signal integrity)\b(?=.*\b(?:engineer\w*|ingenieur\w*|designer|intern\w*|stag\w+|architect|technician|elektroniker\w*|design|verification|lead|manager)\b)|\bgenie electrique\b"),
        ("engineering", "devops", r"\b(?:devops|dev ops|devsecops|sre|site reliability|infrastructure|platform engineer\w*|cloud|build engineer|buildops|release engineer|reliability engineer|plateforme|infra|kubernetes|systems? administrator|sysadmin|production engineer)\b(?=.*\b(?:engineer\w*|developer|architect\w*|ingenieur\w*|administrator|sysadmin|specialist|intern\w*|stag\w+|lead|manager|ops|devops|sre|infonuagique)\b)|\b(?:devops|sre|devsecops|buildops|infonuagique)\b"),
        ("it", None, r"\b(?:it|information technology|system(?:s)? admin\w*|network (?:engineer|administrator|technician|architect)|desktop support|sysadmin|it support|reseau\w*|technologies de l'information|netzwerk\w*|systemadministrator\w*|sap|erp|salesforce (?:admin\w*|developer)|servicenow|workday (?:analyst|consultant)|informatique|ti)\b(?=.*\b(?:manager|director|support|specialist|analyst\w*|technician|engineer|admin\w*|intern\w*|stag\w+|lead|consultant\w*|architect|head|operations|services|developer|technologist|systems?|projects?)\b)"),
        ("engineering", "mobile", rf"\b(?:ios|android|mobile|react native|flutter|swift|kotlin)\b(?=.*{_ENGINEER})|{_ENGINEER}.*\b(?:ios|android|mobile|react native|flutter)\b"),
        ("engineering", "fullstack", r"\b(?:full[ -]?stack|fullstack)\b"),
        ("engineering", "frontend", r"\b(?:front[ -]?end|frontend|react|angular|vue|web (?:developer|engineer|ui)|ui (?:engineer|developer)|integrateur web)\b"),
        ("engineering", "backend", r"\b(?:back[ -]?end|backend|server(?:-side)? (?:engineer|developer)|api engineer|distributed systems|バックエンド)\b|バックエンド"),
        ("engineering", "blockchain", r"\b(?:blockchain|smart contract|solidity|web3|solana|ethereum|evm|protocol engineer|rust engineer|on-?chain|defi)\b(?=.*(?:engineer|developer|architect|lead|researcher))"),
        ("engineering", "game", r"\b(?:gameplay|game|engine|graphics|graphique|graphismes|moteur|unity|unreal|tools|outils|jeu|jeux)\b.*\b(?:programm\w+|developer|engineer|developpeur\w*)\b|\b(?:programm\w+|developpeur\w*|engineer) (?:de |d'|of )?(?:gameplay|graphi\w+|moteur|outils|jeu)\b"),
        ("engineering", "mechanical", r"\b(?:mechanical|mechatronic\w*|mecanique|maschinenbau\w*|mecanic\w+|aerospace|aeronaut\w+|thermal|structural|manufacturing engineer|process (?:development )?engineer|industrial engineer\w*|automotive engineer|propulsion|hydraulic\w*|fuel (?:cell )?system\w* .*engineer|control laws|robotics?|robotique|mechanik engineer|konstrukteur\w*|materials engineer|cfd|fea)\b"),
        ("engineering", "civil", r"\b(?:civil engineer\w*|genie civil|structural engineer|geotechnical|bauingenieur\w*|site engineer|project engineer|environmental engineer|chemical engineer|nuclear|petroleum engineer|field (?:service )?engineer|hvac engineer|water engineer|transportation engineer)\b"),
        ("engineering", "software", r"\b(?:software|logiciel\w*|softwareentwickl\w*|softwareingenieur\w*|swe|sde|member of technical staff|technical staff|web develop\w*|application develop\w*|applications? (?:engineer|developer)|full cycle developer|forward deployed engineer|product engineer|developer experience|compiler|programming|programmation|programm(?:er|eur)\w*|programador\w*|developer|developp\w*|entwickler\w*|desarrollador\w*|desenvolvedor\w*|programista|sviluppatore|genie logiciel|java|python|golang|\.net|php|node|ruby|rust|c\+\+|computer science|tech lead|technical lead\w*|engineering (?:manager|director|lead|intern|technical leader)|(?:head|director|vp|vice president|chief)[ ,]+(?:of )?engineering|vp engineering|solutions? (?:architect|engineer)|integration\w* engineer|platform|backend|infrastructure|systems? engineer\w*|cto|informaticien\w*|informatique|computing|technical architect|enterprise architect)\b|ソフトウェア|エンジニア"),
        ("finance", None, r"\b(?:accountant|accounting|finance|financial|financier\w*|controller|controlling|controleur|auditor|audit|treasury|tax|bookkeep\w*|fp&a|buchhalt\w*|finanz\w*|comptab\w+|contable|contabil\w*|contador\w*|actuar\w+|underwrit\w+|investment|investissement|banking|banker|credit|trader|trading|equity (?:research|analyst)|accounts (?:payable|receivable)|billing|procurement|purchasing|acheteur\w*|einkauf\w*|cfo|risk (?:analyst|manager|&)|wealth|claims|insurance|loan\w*|lending|mortgage|capital markets|portfolio manager|defined contributions)\b"),
        ("research", None, r"\b(?:research\w*|scientist|chercheu\w+|wissenschaft\w*|forsch\w*|investigador\w*|postdoc\w*|phd|laborat\w+|lab technician|biolog\w+|chemi(?:st|stry)|chimist\w*|physic(?:s|ist)|scientifique|breeder|genomic\w*|spectrometry|epidemiolog\w+|r&d)\b"),
        ("manufacturing", None, r"\b(?:operator|operateur\w*|operator\w* vyroby|production|produktion\w*|manufactur\w+|assembl\w+|machinist|welder|solderer|fabricat\w+|cnc|maintenance|mechanic|mecanicien\w*|mechaniker\w*|technician|technicien\w*|techniker\w*|tecnico|electrician|elektriker\w*|elektroniker\w*|plant manager|machine|quality (?:control|inspector|technician|manager)|qualidade|millwright|packer|laborer|labor|facilities|installations?|process technician|vyrob\w*|monteur\w*|schlosser\w*|carpen\w+|plumber|painter|mason|electrical|tech-\w+|qc)\b"),
        ("construction", None, r"\b(?:construction|site (?:manager|supervisor)|bauleiter\w*|surveyor|estimator|quantity survey\w*|architectural|civil|supervisor \(civil\)|foreman|superintendent|safety officer|hse|ehs)\b"),
        ("retail", None, r"\b(?:stores?|retail|cashier|shop|boutique|stylist|visual merchandiser|filial\w*|verkaufer\w*|kassier\w*|caissier\w*|dependiente|promotor\w*|sales associate|vendedor\w*|beauty advisor|stock(?:er| associate)?)\b"),
        ("operations", None, r"\b(?:operations?|ops|program manager|project (?:manager|coordinator|lead|management|director)|chief of staff|chef\w* de projet|projektleit\w*|projektmanag\w*|gestionnaire de projet|gerente de proyecto\w*|scrum master|agile coach|delivery (?:manager|lead)|strategy|strategic|business analyst|business operations|bizops|consult\w+|berater\w*|implementation|process (?:manager|analyst)|transformation|program (?:director|lead|coordinator)|pmo|change manager|trust & safety|localization|vendor|logistics|planner|planning|deputy project|manager project\w*)\b"),
        ("admin", None, r"\b(?:office (?:manager|coordinator|administrator|assistant)|administrative|administrator|executive assistant|assistant\w*|receptionist|secretary|secretaire|sekretar\w*|clerk|empfang\w*|coordinator|coordinateur\w*|data entry|sachbearbeiter\w*|administratif|assistente|auxiliar|burokauf\w*|koordinator\w*|personal assistant)\b"),
        ("public_safety", None, r"\b(?:security (?:guard|officers?|agent)|guard|police|firefighter|patrol|lifeguard|agent de securite|wachmann|surveillance officer|loss prevention)\b"),
        ("media", None, r"\b(?:journalist\w*|reporter|editor|anchor|producer|writer|translator|traducteur|photographer|videographer|redaktion\w*|news|broadcast\w*)\b"),
        ("executive", None, r"\b(?:ceo|coo|chief executive|general manager|managing director|geschaftsfuhr\w*|directeur general|president|founder|co-?founder)\b"),
        ("engineering", None, r"\b(?:engineer\w*|ingenieur\w*|ingenier\w*|engenheir\w*|architect|architekt\w*|genie|inzynier\w*|ingegnere|eng|engg)\b"),
    )
)  # fmt: skip
"""Function, discipline and the words for them; the first that matches counts."""

SENIORITY: tuple[tuple[Seniority, re.Pattern[str]], ...] = tuple(
    (level, re.compile(pattern))
    for level, pattern in (
        ("intern", r"\b(?:intern|interns|internship|stagiaire|praktik\w+|werkstudent\w*|working student|co-?op(?! (?:bank|manager|food))|trainee|apprenti\w*|apprentice\w*|becari[oa]|practicas|estagi\w+|tirocini\w*|alternan\w+|stage(?= (?:en|de|pfe|d'))|staz\w*|placement student|summer analyst|student)\b"),
        ("executive", r"\b(?:chief (?!of staff)\w+(?: \w+)? officer|c[etofpmi]o|cmo|cro|ciso|svp|evp|senior vice president|executive vice president|vp|vice[- ]president|avp|president|geschaftsfuhr\w*|managing director|partner(?= at| -|$)|head of engineering org)\b"),
        ("director", r"\b(?:director\w*|directeur\w*|directrice|direktor\w*|head of|head|diretor\w*|leiter(?:in)?(?! team)|bereichsleit\w*)\b(?! designer)"),
        ("principal", r"(?:^|, |- |\(|/ ?|senior |sr |sr\. )principal\b|\bprincipal (?=\w)|\b(?:engineer|developer|architect|scientist|manager|designer) principal\b|\b(?:distinguished|fellow)\b"),
        ("staff", r"\bstaff\b(?! accountant| nurse| writer|ing)"),
        ("manager", r"\b(?:engineering manager|manager|managers|gestionnaire|gerente|leiter\w*|teamleit\w*|supervisor|superviseur\w*|abteilungsleit\w*|responsable d'equipe|chef\w* d.?equipe)\b"),
        ("lead", r"\b(?:lead|leader|team lead|tech lead|leitend\w*|teamlead|chef\W*d.equipe|responsable|lider|principal)\b(?! generation)"),
        ("senior", r"\b(?:senior\w*|sr|snr|senior\W?e|sénior|expert\w*|experienced|advanced|iii|iv|l5|confirme\w*|experimentad\w*|especialista|pleno-senior)\b|\bsr\b\.?"),
        ("entry", r"\b(?:junior\w*|jr|entry[- ]level|graduate|new grad\w*|grad|early career|associate(?! (?:director|manager|partner|general|vice|principal|dean|professor|creative|product director))|assistant(?! (?:manager|director|vice|professor|store|to))|debutant\w*|berufseinsteiger\w*|absolvent\w*|recem-formad\w*|trainee|apm|i(?= |$|,|-))\b"),
        ("mid", r"\b(?:mid|mid-level|midlevel|intermediate|ii|pleno|intermediaire|medior|regular|l4|mid-senior)\b"),
    )
)  # fmt: skip
"""Seniority and the words for it, in the order in which they count."""

NOT_INTERNS = re.compile(
    r"\b(?:stage manager|stage hand|stagehand|multi-?stage|early[- ]stage|late[- ]stage|growth[- ]stage"
    r"|(?:intern(?:ship)?s?|student|apprentic\w+|co-?op|graduate|trainee|university|early career)s? (?:programs?|programme|recruit\w+|coordinator|manager|experience|hiring|success|services|engagement|affairs|advisor|counsel\w+|life|support|housing)"
    r"|internal|international|internist)\b"
)
"""Titles about interns or stages, whose holder is none (P122)."""

EMPLOYMENT: tuple[tuple[EmploymentType, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("internship", r"\b(?:intern|interns|internship|stagiaire|praktik\w+|working student|werkstudent\w*|co-?op|becari[oa]|estagi\w+|tirocinio|stage)\b"),
        ("apprenticeship", r"\b(?:apprentic\w*|apprenti\w*|alternan\w+|ausbildung|azubi|auszubildende\w*|duales studium)\b"),
        ("part_time", r"\b(?:part[- ]?time|teilzeit\w*|temps partiel|media jornada|tiempo parcial|meio periodo|minijob|deeltijd|deltid|casual|per diem|prn)\b"),
        ("temporary", r"\b(?:temporary|temp|seasonal|fixed[- ]term|befristet\w*|cdd|saisonn\w+|maternity (?:cover|leave)|conge de maternite|interim\w*|temporar\w*|eventual|duree determinee|defined duration|zeitarbeit|ftc|limited)\b"),
        ("contract", r"\b(?:contract(?:or|ors|ing)?(?! to hire| manager| administrator| specialist)|freelance\w*|1099|c2c|corp[- ]to[- ]corp|freiberuf\w*|independant\w*|autonomo|self[- ]employed|b2b|consultant contract|prestataire|pj|contract to hire)\b"),
        ("volunteer", r"\b(?:volunteer\w*|unpaid|ehrenamt\w*|benevol\w+|voluntari\w+)\b"),
        ("full_time", r"\b(?:full[- ]?time|vollzeit\w*|temps plein|cdi|jornada completa|tiempo completo|tempo integral|permanent|festanstellung|unbefristet\w*|plny uvazek|voltijd|heltid|pelny etat|clt|regular|full time permanent|duree indeterminee|fulltime)\b|正社員"),
    )
)  # fmt: skip
"""Employment types and the words for them; the first that matches counts."""
