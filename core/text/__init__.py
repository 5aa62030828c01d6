"""Pure functions over text: no state, no vendor services, no clock.

Which room to look in (a family ``x_*`` belongs to its ``x``):

Words and values
    tokens, sentences, language, traditional, plain, markers, names, nouns, predicates, identifiers,
    numerals, units, quantities, bounds, clock, dates, relative_dates, anchored_dates, period,
    deadline, same_value, polarity, opposites, synonyms, concepts, abbreviations, entities, scope
What is asked
    questions (one by one), coordination, comparisons, conversation (leaning, focus), intent,
    query_types, aspects, dimensions, moments (days_compared, timeless), named_records,
    record_mentions, order_items, own_things, own_numbers, presupposition, asked, answer_type
Searching
    query_words, field_words, wordings (the rewriter's), join_searches, weigh, why_found
Whether evidence answers
    coverage (need, held, words, bearing, records, matrix, confidence, gaps), relevance, facts,
    record_facts, gate_answers, pool, provenance, review_state
What evidence says against it, or against itself
    premise, contrast, turned, twins, statements, stated, answer_values, value_*, acts,
    disagreement, contradictions, winners, sides, conflicts, conflict_report, attributed
What a rule makes of a request
    requests, restrictions, charges, window, casework, refund_*, calculated, advice_grounds,
    alarms, earlier_contacts
Writing a reply
    extract, choose, scoring, agreed, compose, context, past, days_in_reply, reply, diff
Checking a reply
    cited, factual, quote, quoting, compare, compare_values, claim_features, findings, redact,
    outbound
Alike texts
    similarity, fingerprint, near_duplicates, minhash
Text that speaks to a model, or hides
    injection, hidden, hidden_markup, concealed, disguised, encoded, broken_lines, exfiltration
"""
