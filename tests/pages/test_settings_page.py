"""Settings: people and their rights, changed with a reason; every part as the doctor finds it."""

from __future__ import annotations

from core.errors import TryAgainLater
from core.identity.admin import Health
from tests.fakes.fake_gate import a_policy
from tests.fakes.fake_settings import FakeSettings
from tests.pages.reading import open_page, words_of


def _page(desk: object) -> None:
    from pages.components.notices import draw_notices
    from pages.settings import page

    draw_notices()
    page.render(desk)  # type: ignore[arg-type]


def _guarded(desk: object) -> None:
    from pages.settings import page
    from pages.shell import guard, session
    from tests.fakes.fake_office import FakeOffice

    session.provide(FakeOffice(the_settings=desk), who=lambda: "ada")  # type: ignore[arg-type]
    guard.open_page("settings", session.settings_desk, page.render)


def test_people_are_listed_with_roles_and_whether_they_sign_in() -> None:
    words = words_of(open_page(_page, FakeSettings()))

    assert "2 people may sign in 1 switched off" in words
    assert "ana Ana Ruiz agent Customer service L2 ✔ yes" in words
    assert "rex Rex Former agent Customer service L2 ✖ no" in words


def test_a_change_shows_before_and_after_and_is_made_with_its_reason() -> None:
    desk = FakeSettings()
    at = open_page(_page, desk, user="ana")
    assert at.button(key="change").disabled
    at.multiselect(key="roles-ana").set_value(["supervisor"]).run()
    words = words_of(at)
    assert "Roles agent supervisor , agent" in words
    assert "Policies public, staff public , staff" in words

    at.text_input(key="reason-ana").set_value("Promoted").run()
    at.button(key="change").click().run()
    assert desk.reasons == ["Promoted"]
    assert desk.people["ana"].roles == ("supervisor",)
    assert "The rights of Ana Ruiz are changed" in words_of(at).replace("\\", "")
    assert at.text_input(key="reason-ana").value == ""


def test_without_a_reason_nothing_changes_and_what_was_chosen_stays() -> None:
    desk = FakeSettings()
    at = open_page(_page, desk, user="ana")
    at.toggle(key="active-ana").set_value(False).run()
    at.button(key="change").click().run()

    assert "Say why the rights change" in words_of(at)
    assert desk.people["ana"].active
    assert at.toggle(key="active-ana").value is False


def test_the_simulator_shows_rights_and_sources_of_anybody() -> None:
    at = open_page(_page, FakeSettings())
    at.segmented_control(key="view").set_value("Who can see what").run()
    words = words_of(at)
    assert "Policies that let them in public Policies that do not hr staff" in words
    assert "May read · 1 version ✔" not in words
    assert "✔ Return policy" in words
    assert "✖ Agent handbook" in words
    assert "never listed or counted here" in words

    at.selectbox(key="as").set_value("ana").run()
    words = words_of(at)
    assert "✔ Agent handbook" in words
    assert "they may read every one of these" in words


def test_a_person_switched_off_is_shown_with_a_guests_rights() -> None:
    at = open_page(_page, FakeSettings(), user="rex")
    at.segmented_control(key="view").set_value("Who can see what").run()

    assert "switched off: they have a guest's rights" in words_of(at)
    assert "✖ Agent handbook" in words_of(at)


def test_access_policies_say_whom_they_let_in() -> None:
    at = open_page(_page, FakeSettings())
    at.segmented_control(key="view").set_value("Access policies").run()

    words = words_of(at)
    assert "public Anybody everyone" in words
    assert "hr HR HR" in words


def test_the_doctor_puts_what_needs_attention_first_and_looks_again_when_asked() -> None:
    ill = Health(name="Outbox", ok=False, words="2 failed")
    desk = FakeSettings(parts=(*FakeSettings().parts, ill))
    at = open_page(_page, desk)
    at.segmented_control(key="view").set_value("Doctor").run()
    words = words_of(at)
    assert "✖ 1 part needs attention" in words
    assert words.index("Outbox 2 failed") < words.index("Audit chain verified to event 104")

    at.run()
    assert desk.looks == 1
    at.button(key="look-again").click().run()
    assert desk.looks == 2


def test_settings_are_told_in_words_secrets_redacted_and_none_left_out() -> None:
    at = open_page(_page, FakeSettings())
    at.segmented_control(key="view").set_value("Settings").run()
    words = words_of(at)

    assert "Evidence handed to the drafter 2400 tokens COUNTERSIGN_TOKEN_BUDGET" in words
    assert "About the question: kept from 0.45" in words
    assert "Case store **********" in words
    assert "brand new on COUNTERSIGN_BRAND_NEW" in words


def test_the_gate_policy_in_force_is_told_with_the_way_to_it() -> None:
    policy = a_policy(reason="A forum post got through")
    at = open_page(_page, FakeSettings(policy=policy))
    at.segmented_control(key="view").set_value("Settings").run()
    words = words_of(at)

    assert "✔ Gate policy in force left out: instructs the model above 0.70" in words
    assert "by sam: “A forum post got through”" in words
    assert "Gate thresholds while no policy is saved" in words
    assert 'href="/evaluation?view=Gate"' in " ".join(e.proto.body for e in at.get("html"))


def test_without_a_gate_policy_the_settings_say_that_theirs_are_in_force() -> None:
    at = open_page(_page, FakeSettings())
    at.segmented_control(key="view").set_value("Settings").run()
    assert "No gate policy is saved: these thresholds are in force" in words_of(at)


def test_an_office_without_people_says_what_to_do() -> None:
    assert "Nobody is known here yet" in words_of(open_page(_page, FakeSettings(people={})))


def test_a_store_that_is_away_is_told() -> None:
    at = open_page(_guarded, FakeSettings(broken=TryAgainLater("The database does not answer.")))

    assert "The database does not answer" in words_of(at)
