"""Every talk there is, by an id that a link can hold: `first`, `article-gssc`, `fault-NAME`, `own`."""

from __future__ import annotations

from ctxcore.comparing.demos import DEMOS
from ui.sources.scenarios import scenario_of
from ui.talks import told
from ui.talks.faults import fault
from ui.talks.screen import Talk
from ui.talks.walk import walk
from ui.words import language, t
from ui.workspace import state

ARTICLES = {"gssc": "support-chat", "compiler": "support-chat", "layered": "coding-agent"}  # on which sources
WINDOW = 4_000  # small enough that each design has to decide
OWN = "own"


def titles() -> dict[str, str]:
    """Id → title, in the order of the picker."""
    lang = language()
    written = {name: told.title(name, lang) for name in ("first", "middle", "agent")}
    articles = {f"article-{name}": t("talk.article", system=name) for name in ARTICLES}
    faults = {f"fault-{name}": demo.title(lang) for name, demo in DEMOS.items()}
    scenario = scenario_of(state.workspace())
    own = {OWN: t("talk.own", name=scenario.title.get(lang) or scenario.name)}
    return {**own, **written, **articles, **faults}


def first() -> str:
    """What somebody brought is what they want to show."""
    return OWN if state.workspace().revision else "first"


def talk(name: str) -> Talk:
    kind, _, rest = name.partition("-")
    if name == OWN:
        return walk(titles()[OWN], state.workspace())
    if kind == "article" and rest in ARTICLES:
        return walk(titles()[name], told.workspace(ARTICLES[rest], {"system": rest, "window": WINDOW}))
    if kind == "fault" and rest in DEMOS:
        return fault(rest, language())
    return told.told(name, language())
