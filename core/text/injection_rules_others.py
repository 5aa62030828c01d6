"""Wordings of orders to a model that several languages share, and of Italian, Portuguese, Dutch,
Polish, Russian, Japanese, Korean and Arabic for overriding and revealing."""

from __future__ import annotations

from core.text import injection_kinds as k
from core.text.injection_rules import Rule, rule

_MAIL = r"(?:[\w.+-]+@[\w-]+\.\w|https?://|www\.)"

OTHERS: tuple[Rule, ...] = (
    rule(
        k.SYSTEM,
        0.8,
        r"(?:^|[\n\[(*>] ?)(?:system-?(?:hinweis|nachricht|meldung|anweisung)|(?:note|message|avis|"
        r"consigne)"
        r" (?:du )?syst[èe]me|(?:nota|mensaje|aviso|instrucci[oó]n) del? sistema|(?:nota|messaggio|"
        r"avviso)"
        r" (?:di|del) sistema)\s*[:\])]",
        "system syst sistema",
    ),
    rule(
        k.DICTATES,
        0.75,
        r"\b(?:(?:al final|al principio|en) (?:de )?(?:cualquier|cada|toda) respuesta|(?:[àa] la "
        r"fin|au d[ée]but)"
        r" de (?:toute|chaque|chacune des?) r[ée]ponses?|(?:am ende|am anfang|in) (?:jeder|aller) "
        r"antwort(?:en)?"
        r"|alla fine di ogni (?:risposta|messaggio))\b",
        "respuesta réponse reponse antwort risposta",
    ),
    rule(
        k.OVERRIDES,
        0.8,
        r"\b(?:sin|sans|ohne|senza) (?:ning[uú]n[ao]?s? |aucunes? |jegliche |alcun[ao]? |any )?(?:"
        r"restricciones|l[ií]mites|filtros|restrictions?|limites?|filtres?|einschr[äa]nkungen|"
        r"beschr[äa]nkungen|restrizioni|limiti|filtri)\b|\b(?:hast du keine|no tienes|tu n'as "
        r"(?:plus )?"
        r"aucune?|non hai) (?:regeln|reglas|r[èe]gles?|regole|restri\w+|einschr\w+|limite?s?)\b|"
        r"\b(?:"
        r"vergiss|olvida|oublie|dimentica)\b[^.!?\n]{0,12}\b(?:alles|todo|tout|tutto)\b",
        "sin sans ohne senza keine tienes aucun non_hai vergiss olvida oublie dimentica",
    ),
    rule(
        k.REVEALS,
        0.85,
        r"\b(?:rivela|mostra|stampa|ripeti|scrivi)\b[^.!?\n]{0,20}\b(?:istruzioni|prompt|regole|"
        r"messaggio di"
        r" sistema)|\b(?:revele|mostre|imprima|repita)\b[^.!?\n]{0,20}\b(?:instruções|prompt|"
        r"regras)",
        "rivela mostra stampa ripeti scrivi revele mostre imprima repita",
    ),
    rule(
        k.CARRIES,
        0.7,
        r"\b(?:env[ií]a|manda|envoie|envoyez|transmets|sende|schicke?|invia|envie|inoltra|"
        r"manda)(?:l[aeo]s?|"
        rf"-les|-la|-le|me|li|lo)?\b(?![^.!?\n]{{0,60}}\b(?:formul\w+|su|sus|votre|vos|ihre?n?|tuo|"
        rf"nos|uns)\b)"
        rf"[^.!?\n]{{0,60}}(?:extern\w*|{_MAIL})[^.!?\n]{{0,30}}",
        "env manda transmets sende schick invia inoltra",
    ),
    rule(
        k.OVERRIDES,
        0.95,
        r"\b(?:ignora(?:te|re)?|dimentica|trascura)\b[^.!?\n]{0,25}\b(?:istruzioni|regole|"
        r"direttive|"
        r"ordini)\b|\b(?:ignor[ea]|ignorem|esqueç?a|desconsidere)\b[^.!?\n]{0,25}\b(?:instruções|"
        r"instrucoes|regras|ordens|diretrizes|comandos)\b|\b(?:negeer|vergeet)\b[^.!?\n]{0,25}\b"
        r"(?:instructies|regels|opdrachten|aanwijzingen)\b|\b(?:zignoruj|"
        r"zapomnij)\b[^.!?\n]{0,25}\b"
        r"(?:instrukcj\w+|polece\w+|zasad\w*)",
        "ignor dimentica trascura esque desconsidere negeer vergeet zignoruj zapomnij",
    ),
    rule(
        k.OVERRIDES,
        0.95,
        r"(?:игнорируй\w*|забудь\w*|отбрось\w*|не следуй\w*)[^.!?\n]{0,30}(?:инструкци\w+|"
        r"указани\w+|"
        r"правил\w*|команд\w*)|(?:以前|これまで|上記|先ほど|すべて|全て)[^。\n]{0,10}(?:指示|命令|"
        r"ルール|プロンプト)[^。\n]{0,8}(?:無視|忘れ|破棄)|(?:이전|지금까지|위|모든)[^.\n]{0,10}(?:지시|"
        r"명령|규칙|지침)[^.\n]{0,8}(?:무시|잊)|(?:تجاهل|انس)[^.\n]{0,20}(?:التعليمات|الأوامر|القواعد)",
        "игнор забудь отбрось следуй 無視 忘れ 破棄 무시 잊 تجاهل انس",
    ),
)
