"""Countersign's core: everything the console, the command line and the tests call.

The flow of one request (``core.pipeline`` reads like this, top to bottom)::

    UserRequest
     └ authorise → normalise → plan → records
        → rounds: plan retrieval → retrieve → gate → situate → select → judge ↺ rewrite
        → adjudicate → draft → validate → ledger → comply → freshness → advise → propose → trace
     ⇒ review (approve | edit | escalate | ask | refuse) ⇒ outbox, action tools

The import rule, in one sentence: every import points down this list
(cli, commands, demo, wiring → adapters → settings → review, knowledge, evaluation → identity
→ pipeline, sources → stages → lookups → tools → ports, prompts, text → models → errors), a stage
never imports a stage, pages import only review, knowledge, evaluation, identity and models, and
only adapters touch vendors. import-linter checks it in ``make check``.
"""
