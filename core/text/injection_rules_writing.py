"""English wordings that dictate, garble or fill with code what a model writes."""

from __future__ import annotations

from core.text import injection_kinds as k
from core.text import injection_words as w
from core.text.injection_rules import Rule, rule

_PEOPLE = (
    r"(?! (?:to (?:us|this|the|our|your|my|a)\b|within|by \w+ \d|must be (?:received|postmarked|"
    r"signed)|from|header|headers|code|body|status|time|rate|times|object|type|handler|is (?:used|"
    r"stored|due)|will be|should be sent|card|letter|form|below|in the box))"
)
"""What stands after "your reply" where people write to each other or programs answer."""
_EDIT = (
    r"(?:make|keep|format|translate|encode|rewrite|phrase|craft|structure|modify|alter|change|"
    r"augment|enrich|enhance|embellish|adapt|infuse|fill|replace|remove|convert|mirror|tailor|"
    r"adjust|let|have|season|lace|load|pad|spice|delay|withhold|disrupt|corrupt|obfuscate|encrypt|"
    r"reverse|interleave|render|present|deliver|add|include|insert|integrate|incorporate|"
    r"introduce|mention|provide|offer|slip|weave|work|put|place|express|promote|suggest|advertise|"
    r"plug|link|drop|hide|sprinkle|use|repeat|append|prepend|attach|embed|write|begin|start|end|"
    r"close|finish|conclude|preface|prefix|open|supplement|complement|accompany|conceal|blend|"
    r"merge|spell|type|state|ensure|shorten|limit|expand|transform|turn|highlight|emphasi[sz]e|"
    r"invite|encourage|remind|recommend|direct|point|guide|steer|hint|tease|combine|group|"
    r"rearrange|scramble|jumble|anagram|substitute|swap|shift|misspell)"
)
_OUTPUTS = (
    "answer response output completion summar translation repl message explanation elucidation "
    "analysis generation final"
)
DICTATING: tuple[Rule, ...] = (
    rule(
        k.DICTATES,
        0.75,
        rf"\b(?:in|to|into|at the (?:end|beginning|start|top|bottom) of|throughout|within|inside|of"
        rf") (?:your|the assistant'?s|the ai'?s|the model'?s) (?:\w+ ){{0,2}}?"
        rf"(?:answers?|responses?|outputs?|summary|summaries|translation|completion|explanation|"
        rf"elucidation|analysis){_PEOPLE}\b(?! to (?:us|this))",
        _OUTPUTS,
    ),
    rule(
        k.DICTATES,
        0.7,
        rf"{w.ORDER}(?:\w+ly |not |never )?{_EDIT}\b[^.!?\n]{{0,50}}\byour (?:\w+ ){{0,1}}?(?:"
        rf"answers?|responses?|outputs?|summary|translation|completion)\b{_PEOPLE}(?![^.!?\n]"
        rf"{{0,40}}"
        r"\b(?:headers?|json|status code|http|endpoint|cookies?|schema)\b)",
        _OUTPUTS,
    ),
    # the same with words that people use of each other's mail
    rule(
        k.DICTATES,
        0.50,
        rf"\b(?:in|to|into|at the end of|throughout|within|of|through) (?:your|its) (?:\w+ )?"
        rf"(?:reply|replies|message|messages)\b{_PEOPLE}|{w.ORDER}{_EDIT} your (?:reply|replies|"
        rf"messages?)\b{_PEOPLE}",
        "reply replies message",
    ),
    rule(
        k.DICTATES,
        0.8,
        r"\b(?:(?:only |just |always |must |simply )*(?:respond|reply|answer|output|print) "
        r"(?:to (?:every\w*|all|any\w*|each) (?:\w+ ){0,2})?(?:only|just|solely|exclusively|"
        r"nothing "
        r"but|always|with only|with just|using (?:only|nothing but))\b(?! (?:if|to|when|after|by|"
        r"during|on|from|between)\b)|\b(?:output|print|say|write|respond with|reply with) (?:only "
        r")?(?:the )?(?:word|phrase|words|string|text|following)\b[^.\n]{0,40}(?:and |,)? ?(?:"
        r"nothing (?:else|more)|only\b|exactly))",
        "respond reply answer output print say write",
    ),
    rule(
        k.DICTATES,
        0.72,
        rf"\b(?:begin|start|end|finish|conclude|close|open|preface|prefix|append|prepend|terminate)"
        rf" (?:your|every|each|all) (?:\w+ )?(?:answers?|responses?|outputs?|completions?|message "
        rf"you)\b{_PEOPLE}|\b(?:first|last|opening|closing|final) (?:line|sentence|word|paragraph) "
        rf"of"
        rf" (?:what(?:ever)? you|your (?:answer|response|output|reply|summary)|the (?:answer|"
        rf"output|"
        rf"response) you)|\b(?:your (?:answers?|responses?|outputs?|summary)|{w.YOU_PRODUCE}) "
        r"(?:must|shall|has to|have to|needs? to|should|ought to) (?:\w+ )?(?:contain|mention|say|"
        r"include|end|begin|start|be (?:in|written|only|exactly)|consist|embody|state|read|"
        r"recommend)\b(?! (?:a|an|the) (?:\w+-)?(?:header|status|json))",
        "begin start end finish conclude close open preface prefix append terminate first last "
        "must shall has_to have_to need should ought closing final",
    ),
    rule(
        k.DICTATES,
        0.65,
        rf"\b{w.YOU_PRODUCE}|\b(?:summary|answer|text|reply|response) you (?:give|provide|return|"
        r"show)\b|\bthe (?:final|generated|finished|resulting) (?:text|answer|output|response|"
        r"summary|reply) (?:must|should|shall|has to|recommends?|contains?|includes?|says?)\b|"
        r"\bwhatever (?:is|they|the user|you are|else is|someone) (?:is )?ask(?:ed|s)?\b[^.!?\n]"
        r"{0,20}\b(?:your|say|answer|reply|respond)|\bno matter (?:what|which|who)\b[^.!?\n]{0,40}"
        r"\b(?:say|answer|reply|respond|output)\b",
        "produce generate output write create develop print emit give provide return final "
        "finished "
        "resulting whatever matter",
    ),
    rule(
        k.DICTATES,
        0.75,
        rf"{w.ORDER}(?:tell|inform|assure|convince|persuade|notify|advise|warn|urge|reassure|"
        r"instruct|remind) (?:the reader|the requester|the human|the person (?:asking|who asks?|"
        r"you "
        r"\w+)|who(?:so)?ever (?:is )?ask\w*)\b(?! (?:to (?:contact|click|open|sign)|if|when))",
        "reader requester human person whoever whosoever",
    ),
    rule(
        k.DICTATES,
        0.55,
        rf"{w.ORDER}(?:tell|inform|assure|convince|persuade|notify|advise|warn|urge|reassure|"
        rf"instruct|remind) {w.USER}\b(?! (?:to (?:contact|click|open|sign|enter|log|check|verify|"
        r"re|try|confirm|provide|update|complete|set)|may|can\b|if|when|in your|about (?:the|any|"
        r"your)|via|by|with))",
        "user reader requester human person whoever whom",
    ),
    rule(
        k.DICTATES,
        0.5,
        r"\b(?:whenever|when|if|should|once|every time)\b[^.!?\n]{0,60}\b(?:ask|mention|say|"
        r"come|"
        r"question|want|type|write)\w*\b[^.!?\n]{0,40},? (?:\w+ )?(?:reply|respond|answer|say|"
        r"state|claim|repeat|insist)\b[^.!?\n]{0,12}(?:that|with|\"|')",
        "whenever when if should once every_time",
    ),
)
_LETTERS = (
    r"(?:letters?|vowels?|consonants?|characters?|spaces|punctuation|syllables?|capitals?|words?|"
    r"numerals|digits|anagrams?|typos?|misspellings?|sentences?)"
)
_SCRAMBLE = (
    r"(?:swap|replace|reverse|scramble|jumble|shift|rotate|substitut\w+|convert|remove|omit|"
    r"misspell"
    r"\w*|capitali[sz]e|group|anagram|interleave|double|encode|spell|alternate|rearrange|combine|"
    r"mix|shuffle|transpose|repeat|insert|write|use|render|introduce|exchange|change|translate|"
    r"encrypt|obfuscate|put|express|drop|turn)"
)
GARBLING: tuple[Rule, ...] = (
    rule(
        k.GARBLES,
        0.78,
        rf"\b{_SCRAMBLE}\b[^.!?\n]{{0,30}}\b{_LETTERS}\b[^.!?\n]{{0,40}}\b(?:your|output|"
        rf"everything "
        r"you|you (?:write|say|produce)|(?:the|each|every) (?:answer|response|reply))\b|"
        rf"\b{_SCRAMBLE}\b[^.!?\n]{{0,30}}\b(?:every|each|all) (?:\w+ "
        rf")?{_LETTERS}\b[^.!?\n]{{0,30}}\b"
        rf"(?:output|answer|response|reply|everything|message|with (?:an?|its|their|the))\b|"
        rf"\b(?:your|output|the) (?:\w+ )?(?:answer|response|reply|output|message|"
        rf"everything)\b[^.!?\n]"
        rf"{{0,40}}\b(?:random|anagram\w*|misspel\w+|typos?|without (?:any )?(?:spaces|vowels|"
        r"punctuation)|alternating|jumbled|scrambled)\b|\brandom (?:letters|capitals|typos|"
        r"emojis?)\b"
        r"[^.!?\n]{0,30}\b(?:you|your)\b",
        "letter vowel consonant character space punctuation syllable capital word numeral digit "
        "anagram typo misspell sentence random scrambl jumbl alternating",
    ),
    rule(
        k.GARBLES,
        0.5,
        rf"^(?:please )?(?:{_SCRAMBLE}|use)\b[^.!?\n]{{0,20}}\b(?:(?:every|each|all|random|third|"
        rf"second"
        rf"|fourth) (?:\w+ )?)?(?:vowels?|consonants?|letters|every \w+ (?:letter|word))\b[^.!?\n]"
        r"{0,40}(?:with|for|by|into|in|as)\b",
        "vowel consonant letter word",
    ),
    rule(
        k.GARBLES,
        0.78,
        r"\b(?:answer|reply|respond|write|speak|talk|say|put|render|encode|translate|output|"
        r"present|"
        r"deliver|give|provide|phrase|convert|express|format|send)\b[^.!?\n]{0,45}?\b(?:in(?:to)?|"
        r"using|with|as|entirely of|nothing but|only) (?:\w+ )?(?:pig latin|klingon|elvish|base[ "
        r"-]?"
        r"(?:64|32|16)|rot[ -]?13|morse(?: code)?|binary(?: code)?|hex(?:adecimal)?|emojis?|"
        r"leet(?:speak)?|all caps|capital letters|uppercase letters|rhymes?|haikus?|riddles|"
        r"ciphers?|caesar|atbash|ascii (?:codes?|art)|reversed? (?:order|text|letters)|hieroglyphs|"
        r"symbols|gibberish|braille|unicode|shakespearean|pirate)\b(?! (?:value|color|colour|file|"
        r"string|format|data|encoded|url|image))|\b(?:write|spell|say|give|type|deliver|present)\b"
        r"[^.!?\n]{0,30}\b(?:reply|answer|response|output|text|everything|words?)\b[^.!?\n]{0,12}\b"
        r"(?:backwards?|back to front|upside down|in reverse)\b",
        "pig klingon elvish base rot morse binary hex emoji leet caps capital uppercase rhyme "
        "haiku "
        "riddle cipher caesar atbash ascii revers hiero symbol gibberish braille unicode backward "
        "upside shakesp pirate back_to",
    ),
)
_BLOCK = r"(?:block|section|snippet|excerpt|segment|fragment|piece|line|lines|sample|script)s?"
_YOUR_CODE = (
    r"(?:your (?:\w+ )?(?:code|codebase|algorithm|solution|implementation|answer|response|output|"
    r"function|program|script|elucidation|project|software|logic)|"
    rf"{w.YOU_PRODUCE})"
)
CODING: tuple[Rule, ...] = (
    rule(
        k.CODE,
        0.65,
        rf"\b(?:following|subsequent|below|next|this|given) (?:\w+ )?(?:code "
        rf")?{_BLOCK}\b[^.!?\n]{{0,70}}"
        rf"\b{_YOUR_CODE}\b|\b{_YOUR_CODE}\b[^.!?\n]{{0,70}}\b(?:following|subsequent|below) "
        rf"(?:\w+ )?"
        rf"code {_BLOCK}\b|\b(?:utili[sz]e|use|employ|append|execute|run|insert|integrate|include|"
        rf"add|embed|leverage) the (?:following|subsequent) code (?:block|section|excerpt|segment)"
        r"\b|\b(?:slip|insert|add|put|embed|place|include)\b[^.!?\n]{0,40}\b(?:snippet|line|code|"
        r"call|import)\b[^.!?\n]{0,40}\b(?:every|any|each|all) (?:\w+ )?(?:script|function|program|"
        r"solution|file|class)s? you\b|\bin any (?:function|script|code|program) you\b",
        "code snippet line block script function",
    ),
    rule(
        k.CODE,
        0.65,
        rf"\b(?:your (?:code|script|program|solution|function)|{w.YOU_PRODUCE}) (?:\w+ )?(?:must|"
        r"has to|should|needs to|shall) (?:\w+ )?(?:start|begin|end|read|call|import|open|send|"
        r"include|contain|add|post|execute|run|fetch|download|upload)\b[^.!?\n]{0,80}(?:ssh|id_rsa|"
        r"passw|token|secret|https?:|server|eval|exec|os\.|curl|wget|key|credential|env)",
        "must has_to should needs_to shall",
    ),
)
WRITING: tuple[Rule, ...] = (*DICTATING, *GARBLING, *CODING)
