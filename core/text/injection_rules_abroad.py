"""Wordings of orders to a model in Spanish, French and German."""

from __future__ import annotations

from core.text import injection_kinds as k
from core.text.injection_rules import Rule, rule
from core.text.injection_rules_others import OTHERS

_MAIL = r"(?:[\w.+-]+@[\w-]+\.\w|https?://|www\.)"
_AI = r"(?:ia|ki|ai|llm|gpt|chat ?gpt|chat ?bots?|bots?|copilot|claude|gemini)"

SPANISH: tuple[Rule, ...] = (
    rule(
        k.OVERRIDES,
        0.95,
        r"\b(?:ignor(?:a|e|ad|en|ar)|olvid(?:a|e|ar|en)(?:te)?|descart(?:a|e|ar)|omit(?:e|a|ir)|"
        r"anul(?:a|e|ar)|desobedece|haz caso omiso|no (?:sigas|siga|obedezcas|hagas "
        r"caso))\b[^.!?\n]{0,30}"
        r"\b(?:instrucci[oó]n(?:es)?|[oó]rdenes|reglas|directrices|indicaciones|normas|"
        r"restricciones|"
        r"todo lo anterior|tu prompt)\b",
        "ignor olvid descart omit anul desobedece caso sigas siga obedezcas",
    ),
    rule(
        k.ROLE,
        0.85,
        r"\b(?:a partir de ahora|desde ahora|de ahora en adelante|ahora)[, ]+(?:tú )?(?:eres|actúa|"
        r"actuarás|serás|debes)\b|\bact[uú]a como (?:un|una|si)\b|\bfinge (?:ser|que)\b|\bmodo "
        r"(?:desarrollador|administrador|sin restricciones)\b",
        "ahora actúa actua finge modo",
    ),
    rule(
        k.ADDRESS,
        0.75,
        rf"(?:^|[.;:(\n>] ?)(?:nota (?:para|a) (?:la |el )?)?(?:asistentes?|{_AI}|modelos? de "
        rf"lenguaje)"
        rf"(?: [\w]+)?\s?[:,]|\b(?:si eres|todo|cualquier|las?|los) (?:una? )?(?:{_AI}|modelos? de "
        rf"lenguaje|asistentes? virtual\w*)\b[^.!?\n]{{0,40}}\b(?:debe|deben|debes|tiene que|lea|"
        rf"leas)\b",
        "asistente ia bot modelo gpt llm copilot claude gemini ai",
    ),
    rule(
        k.DICTATES,
        0.75,
        r"\b(?:en|al (?:final|principio|comienzo) de|con|termina|empieza|comienza|añade|agrega|"
        r"incluye|"
        r"inserta)\b[^.!?\n]{0,30}\b(?:tus?|cada|todas tus) respuestas?\b(?! a (?:este|nuestr))|"
        r"\b(?:"
        r"responde|contesta) (?:siempre|solo|sólo|únicamente)\b|\b(?:di|dile|diles|asegura|"
        r"informa) "
        r"(?:al usuario|al lector|que el (?:reembolso|servicio))",
        "respuesta responde contesta usuario lector reembolso servicio",
    ),
    rule(
        k.KEEPS,
        0.75,
        r"\bno (?:menciones|reveles|digas|le digas|muestres|informes)\b[^.!?\n]{0,30}\b(?:este|"
        r"esta|estas"
        r"|esto|al usuario|instrucciones)\b|\bsin (?:avisar|decírselo|informar) al usuario\b",
        "menciones reveles digas muestres informes avisar informar decírselo",
    ),
    rule(
        k.CARRIES,
        0.9,
        r"\b(?:env[ií]a|manda|reenv[ií]a|sube|publica|copia|comparte)(?:lo|la|"
        r"me)?\b[^.!?\n]{0,40}\b(?:"
        r"conversaci[oó]n|historial|contraseñas?|datos|claves?|chat|credenciales|"
        r"prompt)\b[^\n]{0,40}"
        rf"{_MAIL}",
        "env manda sube publica copia comparte",
    ),
    rule(
        k.REVEALS,
        0.85,
        r"\b(?:revela|muestra|imprime|repite|dime|escribe)\b[^.!?\n]{0,20}\b(?:mensaje de(?:l)? "
        r"sistema|"
        r"prompt|tus (?:instrucciones|reglas|directrices)|instrucciones (?:ocultas|iniciales))",
        "revela muestra imprime repite dime escribe",
    ),
)
FRENCH: tuple[Rule, ...] = (
    rule(
        k.OVERRIDES,
        0.95,
        r"\b(?:ignor(?:e|ez|er)|oubli(?:e|ez|er)|n[ée]glig(?:e|ez)|fais (?:fi|abstraction)|faites "
        r"(?:fi|abstraction)|ne (?:tiens|tenez|tient) (?:pas|aucun) compte|ne (?:suis|suivez|"
        r"respecte|"
        r"respectez) (?:pas|plus)|contourne|annule)\b[^.!?\n]{0,30}\b(?:consignes?|instructions?|"
        r"r[èe]gles|ordres|directives|restrictions|tout ce qui pr[ée]c[èe]de|ton prompt)\b"
        r"(?! (?:de s[ée]curit[ée]|d'utilisation|du (?:jeu|code)))",
        "ignor oubli néglig neglig fais faites ne_ contourne annule",
    ),
    rule(
        k.ROLE,
        0.85,
        r"\b(?:tu es|vous [êe]tes) (?:d[ée]sormais|maintenant|dor[ée]navant) (?:un|une|le|la|"
        r"dan)\b|\b(?:"
        r"[àa] partir de maintenant|d[ée]sormais|dor[ée]navant),? (?:tu|vous) (?:es|[êe]tes|dois|"
        r"devez|"
        r"agis|r[ée]ponds)\b|\b(?:agis|comporte-toi) comme (?:un|une|si)\b|\bfais semblant d|"
        r"\bmode "
        r"(?:d[ée]veloppeur|administrateur|sans restriction)",
        "désormais desormais maintenant dorénavant dorenavant agis comporte semblant mode",
    ),
    rule(
        k.ADDRESS,
        0.75,
        rf"(?:^|[.;:(\n>] ?)(?:(?:note|message) (?:[àa]|pour) (?:l'|la |le |les |tous les "
        rf")?)?(?:assistants?"
        rf"|{_AI}|mod[èe]les? de langage)(?: virtuel\w*)?\s?[:,]|\b(?:si tu es|toute|tout|chaque) "
        rf"(?:une? "
        rf")?(?:{_AI}|mod[èe]le de langage|assistant virtuel)\b[^.!?\n]{{0,40}}\b(?:doit|dois|"
        rf"devez|lit)\b",
        "assistant ia bot modèle modele gpt llm copilot claude gemini ai",
    ),
    rule(
        k.DICTATES,
        0.75,
        r"\b(?:dans|[àa] la fin de|au d[ée]but de|termine|commence|ajoute|ins[èe]re|inclus|"
        r"mentionne|"
        r"int[èe]gre)\b[^.!?\n]{0,30}\b(?:ta|tes|chacune de tes|toutes tes) r[ée]ponses?\b|"
        r"\br[ée]ponds "
        r"(?:toujours|uniquement|seulement|par)\b|\b(?:dis|assure|annonce|informe) (?:[àa] |que )?"
        r"(?:l'utilisateur|au lecteur|le lecteur)",
        "réponse reponse réponds reponds utilisateur lecteur",
    ),
    rule(
        k.KEEPS,
        0.75,
        r"\bne (?:mentionne|parle|r[ée]v[èe]le|dis|montre|divulgue)\w* (?:pas|jamais|"
        r"rien)\b[^.!?\n]{0,30}"
        r"\b(?:ce message|cette|ces|cela|utilisateur)\b|[àa] l'insu de l'utilisateur|sans "
        r"(?:pr[ée]venir|"
        r"avertir|le dire) (?:[àa] )?l'utilisateur",
        "mentionne parle révèle revele dis montre divulgue insu sans",
    ),
    rule(
        k.CARRIES,
        0.9,
        r"\b(?:envoie|envoyez|transf[èe]re|transmets|publie|copie|partage|t[ée]l[ée]verse|"
        r"poste)\b[^.!?\n]"
        r"{0,40}\b(?:conversation|historique|mots? de passe|donn[ée]es|identifiants|cl[ée]s?|"
        r"discussion|"
        rf"prompt)\b[^\n]{{0,40}}{_MAIL}",
        "envoie envoyez transf transmets publie copie partage télé poste",
    ),
    rule(
        k.REVEALS,
        0.85,
        r"\b(?:affiche|r[ée]v[èe]le|montre|imprime|r[ée]p[èe]te|donne-moi|"
        r"[ée]cris)\b[^.!?\n]{0,20}\b(?:"
        r"invite syst[èe]me|prompt|message syst[èe]me|tes (?:instructions|consignes|r[èe]gles)|"
        r"instructions (?:cach[ée]es|initiales))",
        "affiche révèle revele montre imprime répète repete donne écris ecris",
    ),
)
GERMAN: tuple[Rule, ...] = (
    rule(
        k.OVERRIDES,
        0.95,
        r"\b(?:ignorier(?:e|en|t)?|vergiss|vergessen sie|vergesst|missachte|[üu]bergehe|umgehe|"
        r"verwirf|"
        r"befolge|folge|beachte|h[öo]r auf)\b[^.!?\n]{0,30}\b(?:anweisungen?|regeln|vorgaben|"
        r"befehle|"
        r"richtlinien|instruktionen|einschr[äa]nkungen|alles (?:bisherige|davor|oben)|deinen? "
        r"prompt)\b"
        r"(?<!befolge die anweisungen)(?<!folge den anweisungen)(?<!beachte die anweisungen)"
        r"(?<!beachte die regeln)(?<!befolge die regeln)(?<!folge den regeln)",
        "ignorier vergiss vergess missachte übergehe ubergehe umgehe verwirf befolge folge beachte "
        "hör",
    ),
    rule(
        k.ROLE,
        0.85,
        r"\b(?:du bist (?:ab (?:jetzt|sofort)|jetzt|nun|von nun an|fortan) (?:ein|eine|der|die|"
        r"kein|dan)\b"
        r"|(?:ab (?:jetzt|sofort)|von nun an|fortan) (?:bist|musst|wirst|antwortest|sollst) du\b|"
        r"verhalte dich (?:wie|als)|tu so,? als|(?:entwickler|administrator|wartungs|debug)-?modus "
        r"(?:ist )?(?:aktiv|an\b|ein))",
        "du_bist jetzt sofort nun fortan verhalte tu_so entwickler administrator wartungs debug",
    ),
    rule(
        k.ADDRESS,
        0.75,
        rf"(?:^|[.;:(\n>] ?)(?:(?:hinweis|nachricht|anweisung|notiz) (?:an|f[üu]r) (?:die |den |"
        rf"das |alle )?)?"
        rf"(?:{_AI}(?:-?(?:assistent\w*|modelle?|systeme?))?|assistent|sprachmodelle?)\s?[:,]|"
        rf"\b(?:wenn "
        rf"du|jede|alle|jedes|falls du) (?:eine? )?(?:{_AI}|sprachmodelle?|"
        rf"assistent)\b[^.!?\n]{{0,40}}\b"
        rf"(?:muss|m[üu]ssen|soll|sollen|bist|liest)\b",
        "ki ai bot assistent sprachmodell gpt llm copilot claude gemini",
    ),
    rule(
        k.DICTATES,
        0.75,
        r"\b(?:in|am (?:ende|anfang)|beende|beginne|f[üu]ge|erw[äa]hne|schreibe|"
        r"baue)\b[^.!?\n]{0,30}\b(?:"
        r"deine[rn]?|jede[r]? deiner|alle deine) (?:antwort(?:en)?|ausgaben?|zusammenfassung)\b|\b"
        r"antworte (?:immer|nur|ausschlie[ßs]lich|stets)\b|\b(?:sag|sage|teile?|versichere) (?:dem|"
        r"den) "
        r"(?:nutzer|benutzer|leser|anwender)n?\b",
        "antwort ausgabe zusammenfassung nutzer leser anwender",
    ),
    rule(
        k.KEEPS,
        0.75,
        r"\b(?:erw[äa]hne|verrate|zeige|sag|sage|nenne)\b[^.!?\n]{0,30}\b(?:nicht|nie|nichts|"
        r"niemals)\b"
        r"[^.!?\n]{0,30}\b(?:nutzer|benutzer|leser|anwender)|\b(?:erw[äa]hne|verrate) (?:diese|"
        r"dies)\w*\b"
        r"[^.!?\n]{0,40}\b(?:nicht|niemandem|nie)\b|\bohne (?:es |dass )?(?:dem|den|der) (?:nutzer|"
        r"benutzer|anwender)",
        "erwähne erwahne verrate zeige sag nenne ohne",
    ),
    rule(
        k.CARRIES,
        0.9,
        r"\b(?:sende|schicke?|leite|[üu]bermittle|poste|kopiere|teile|"
        r"lade)\b[^.!?\n]{0,40}\b(?:gespr[äa]chs"
        r"\w*|chat\w*|unterhaltung|passw[öo]rt\w*|\w*daten|zugangs\w*|schl[üu]ssel|prompt|"
        r"verlauf)\b"
        rf"[^\n]{{0,40}}{_MAIL}",
        "sende schick leite übermittle ubermittle poste kopiere teile lade",
    ),
    rule(
        k.REVEALS,
        0.85,
        r"\b(?:gib|zeige?|verrate|nenne|wiederhole|drucke|schreibe)\b[^.!?\n]{0,20}\b(?:system-?pro"
        r"mpt\w*|"
        r"system-?nachricht|deine (?:anweisungen|regeln|vorgaben|instruktionen)|versteckten "
        r"anweisungen)",
        "gib zeige verrate nenne wiederhole drucke schreibe",
    ),
)
ABROAD: tuple[Rule, ...] = (*SPANISH, *FRENCH, *GERMAN, *OTHERS)
