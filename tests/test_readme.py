"""The documentation says what is so: tables, commands, examples, rules and links.

Tables stand between `<!-- name -->` and `<!-- /name -->`. They and the output of commands are written anew by
`make golden`; the rest is for people to mend.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import doctest
import importlib.util
import io
import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

import ctxcore
from bench.guard.__main__ import show
from ctxcore.catalogue import stages_json, systems_json
from ctxcore.cli.main import main
from ctxcore.cli.options import parser
from ctxcore.importing.formats import FORMATS
from ctxcore.linting.finding import RULES
from ctxcore.stages import STAGES
from ctxcore.systems import SYSTEMS
from ctxcore.words import templates
from tests.browser.shots import of_docs
from ui.views.all import VIEWS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / name for name in ("README.md", "AGENTS.md", "CHANGELOG.md")] + sorted((ROOT / "docs").glob("*.md"))
README, COMMANDS = ROOT / "README.md", ROOT / "docs" / "command-line.md"
CONSOLE = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)
CALL = "python -m ctxcore "
LINK = re.compile(r"\]\(([^)\s#]+)[^)]*\)")


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


# --- tables


def table(head: str, rows: Iterator[tuple[str, ...]]) -> str:
    columns = head.count("|") + 1
    lines = (" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows)
    return "".join(f"| {line} |\n" for line in (head, " | ".join(["---"] * columns), *lines))


def stage_table() -> str:
    """What a stage does is the first line of its module."""

    def rows() -> Iterator[tuple[str, ...]]:
        for stage in stages_json()["stages"]:
            about = (sys.modules[STAGES[stage["name"]].__module__].__doc__ or "").split("\n")[0].rstrip(".")
            about = re.sub(r" \(c\d+(, c\d+)*\)", "", about)  # numbers of the work list, for those who have it
            is_optional = any((o["name"], o["default"]) == ("enabled", False) for o in stage["options"])
            systems = ", ".join(f"`{name}`" for name in stage["systems"])
            yield f"`{stage['name']}`", systems, about.partition(": ")[2] + " *(off at first)*" * is_optional

    return table("stage | system | what it does", rows())


def system_table() -> str:
    def rows() -> Iterator[tuple[str, ...]]:
        for system in systems_json()["systems"]:
            limits = ", ".join(f"`{limit['name']}` {limit['default']}" for limit in system["limits"]) or "none"
            numbers = (f"{system[name]:,}" for name in ("window", "reserve"))
            yield f"`{system['name']}`", *numbers, limits, " → ".join(f"`{name}`" for name in system["stages"])

    return table("system | window | reserve | limits | stages", rows())


def option_table() -> str:
    def rows() -> Iterator[tuple[str, ...]]:
        for stage in stages_json()["stages"]:
            for option in stage["options"]:
                choices = (
                    ": " + ", ".join(f"`{choice}`" if choice else "empty" for choice in option["choices"])
                    if option["choices"]
                    else ""
                )
                default = f"`{str(option['default']).strip()}`" if option["default"] != "" else "empty"
                yield f"`{stage['name']}.{option['name']}`", default, option["about"] + choices

    return table("option | default | what it does", rows())


def rule_table() -> str:
    return table("rule | sentence", ((f"`{rule}`", sentence) for rule, sentence in templates("en").items()))


def lint_table() -> str:
    words = json.loads((ROOT / "ctxcore" / "words" / "lint.json").read_text("utf-8"))
    rows = ((f"`{rule}`", severity, words[f"lint-{rule}"]["en"]) for rule, severity in RULES.items())
    return table("rule | severity | sentence", rows)


def format_table() -> str:
    return table("format | what it is", ((f"`{name}`", about) for name, about in FORMATS.items()))


def guard_tables() -> str:
    """Precision and recall, as `python -m bench.guard` prints them."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        show()
    return said.getvalue()


TABLES: Mapping[str, tuple[Path, Callable[[], str]]] = {
    "stages": (README, stage_table),
    "systems": (COMMANDS, system_table),
    "options": (COMMANDS, option_table),
    "formats": (ROOT / "docs" / "formats.md", format_table),
    "rules": (ROOT / "docs" / "rules.md", rule_table),
    "lint": (ROOT / "docs" / "rules.md", lint_table),
    "guard": (ROOT / "docs" / "guardrail.md", guard_tables),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_say_what_the_code_says(name, request):
    page, make = TABLES[name]
    between = re.compile(rf"(?<=<!-- {name} -->\n).*?(?=<!-- /{name} -->)", re.DOTALL)
    if request.config.getoption("--update-golden"):
        page.write_text(between.sub(lambda _: make(), read(page)), encoding="utf-8")
    assert between.search(read(page))[0] == make()


# --- commands and examples


def spoken(command: str) -> str:
    """What a terminal shows for `python -m ctxcore … | head -n 5`."""
    call, _, pipe = command.partition(" | head -n ")
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        main(shlex.split(call.removeprefix(CALL)))
    lines = out.getvalue().splitlines(keepends=True)
    return "".join(lines[: int(pipe) if pipe else None]) + errors.getvalue()


def answered(block: str) -> str:
    """A console block with the answers that its commands give today."""
    parts = re.split(r"^(\$ .*\n)", block, flags=re.MULTILINE)
    answers = zip(parts[1::2], parts[2::2], strict=True)
    return parts[0] + "".join(
        asked + (spoken(asked[2:].strip()) + "\n" * shown.endswith("\n\n") if asked[2:].startswith(CALL) else shown)
        for asked, shown in answers
    )


@pytest.mark.parametrize("page", [README, COMMANDS], ids=name_of)
def test_commands_answer_as_it_is_written(page, request):
    if request.config.getoption("--update-golden"):
        page.write_text(CONSOLE.sub(lambda block: answered(block[0]), read(page)), encoding="utf-8")
    blocks = CONSOLE.findall(read(page))
    assert any(CALL in block for block in blocks)
    for block in blocks:
        assert block == answered(block)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_command_can_be_called(page):
    fenced = "\n".join(re.findall(r"```(?:console|sh)\n(.*?)```", read(page), re.DOTALL))
    for call in re.findall(rf"{CALL}(.*)", fenced):
        parser().parse_args(shlex.split(re.split(r" [|>] ", call)[0]))


def test_every_option_is_told():
    def options(command: argparse.ArgumentParser) -> Iterator[str]:
        for action in command._actions:
            yield from action.option_strings
            if isinstance(action, argparse._SubParsersAction):
                for name, inner in action.choices.items():
                    yield from (name, *options(inner))

    page = read(COMMANDS)
    assert {name for name in options(parser()) if not re.search(rf"`{name}\b", page)} == {"-h", "--help"}


@pytest.mark.parametrize("page", [README, ROOT / "docs" / "python.md"], ids=name_of)
def test_python_examples_give_what_they_show(page):
    blocks = re.findall(r"```python\n(>>> .*?)```", read(page), re.DOTALL)
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name_of(page), str(page), 0)
    said = io.StringIO()
    failures, examples = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=said.write)
    assert examples
    assert not failures, said.getvalue()


def test_every_public_name_is_told():
    page = read(ROOT / "docs" / "python.md")
    assert [name for name in ctxcore.__all__ if not re.search(rf"`[^`]*\b{name}\b", page)] == []


# --- the stage of the README


def fenced(file: str) -> str:
    return re.search(rf"`{re.escape(file)}`.*?```\w+\n(.*?)```", read(README), re.DOTALL)[1]


def module(file: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    file.write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    made = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, file.stem, made)  # dataclass looks its module up
    spec.loader.exec_module(made)
    return made


def test_the_stage_of_the_readme_works_as_it_is_written(tmp_path, monkeypatch):
    code, test_code = fenced("ctxcore/stages/repeat_dropper.py"), fenced("tests/test_repeat_dropper.py")
    stage = module(tmp_path / "repeat_dropper.py", code, monkeypatch).RepeatDropper
    gssc = SYSTEMS["gssc"]
    with_it = {name: (gssc.stages(name)[0], stage(), *gssc.stages(name)[1:]) for name in ("repaired", "article")}
    monkeypatch.setitem(STAGES, stage.name, stage)
    monkeypatch.setitem(SYSTEMS, "gssc", replace(gssc, **with_it))
    tests = module(tmp_path / "test_repeat_dropper.py", test_code, monkeypatch)
    for name, test in vars(tests).items():
        if name.startswith("test_"):
            test()
    english, chinese = (json.loads(f"{{{line}}}") for line in fenced("ctxcore/words/en.json").strip().split(",\n"))
    assert english["repeats"].format(kept="doc-01", tokens=1) != chinese["repeats"].format(kept="doc-01", tokens=1)


# --- links


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_to_files(page):
    targets = [target for target in LINK.findall(read(page)) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_files_that_are_named_exist(page):
    """But for those of the README's example stage, which are for the reader to write."""
    named = set(re.findall(r"`((?:ctxcore|ui|pages|tests|bench|docs)/[\w/]+\.\w+)`", read(page)))
    assert {name for name in named if not (ROOT / name).exists() and "repeat_dropper" not in name} == set()


def test_the_drawing_names_what_there_is():
    drawing = re.search(r"who imports whom.*?```", read(README), re.DOTALL)[0]
    named = re.findall(r"[\w/]+(?:\.py|/(?=[\s,]))", drawing)
    layers = [ROOT, *(ROOT / layer for layer in ("pages", "ui", "ctxcore"))]
    assert len(named) > 15
    assert [name for name in named if not any((layer / name).exists() for layer in layers)] == []


def test_screenshots_are_small():
    assert {file.name for file in (ROOT / "docs" / "img").iterdir() if file.stat().st_size > 200_000} == set()


def test_every_page_and_view_has_its_picture_in_the_docs():
    told = (ROOT / "docs" / "views.md").read_text("utf-8")
    pages = ast.parse((ROOT / "app.py").read_text("utf-8"))
    named = next(node.value for node in pages.body if isinstance(node, ast.Assign) and node.targets[0].id == "PAGES")
    wanted = {f"page-{name}" for _, name, _ in ast.literal_eval(named)} | {f"view-{name}" for name in VIEWS}
    assert wanted == {name for name, _ in of_docs()}
    assert [name for name in wanted if f"(img/{name}.jpg)" not in told] == []
    assert [name for name in wanted if not (ROOT / "docs" / "img" / f"{name}.jpg").is_file()] == []
