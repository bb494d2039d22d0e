"""What all pages share: escaping, the policy, data for scripts, words in both languages."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from jinja2 import DictLoader, UndefinedError

from medzh_score.benchmark.config import Table
from medzh_score.html.page import embedded, environment, rendered_page, said, source, view_of
from medzh_score.ui.i18n import pgettext

HOSTILE = "</script><script>alert(1)</script><!-- \"'&\u202e\u2028\x00\x1b[31m\x7f模型"


class Elements(HTMLParser):
    """What a parser that is not ours finds in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append((self.found[-1][0] if self.found else "", data))


def parsed(page):
    elements = Elements()
    elements.feed(page.decode("utf-8"))
    elements.close()
    return elements


@pytest.fixture
def template(monkeypatch):
    """Give a function that renders the body of a page."""

    def render(body, **values):
        pages = DictLoader({"a": '{% extends "base.html.jinja" %}{% block main %}' + body + "{% endblock %}"})
        own, loader = environment(), environment().loader

        def load(name):
            return (pages if name == "a" else loader).load(own, name, own.globals)

        monkeypatch.setattr(own, "get_template", lambda name, *_, **__: load(name))
        return rendered_page("a", title="a", **values)

    return render


def test_a_page_lets_its_own_styles_and_scripts_act_and_nothing_else(template):
    elements = parsed(template("<p>one</p>"))
    contents = [attributes["content"] for tag, attributes in elements.found if "http-equiv" in attributes]
    assert len(contents) == 1
    allowed = dict(part.strip().split(" ", 1) for part in contents[0].split(";"))
    for tag in ("style", "script"):
        texts = [text for of, text in elements.texts if of == tag and text.strip()]
        digests = [hashlib.sha256(text.encode()).digest() for text in texts]
        assert allowed[f"{tag}-src"] == " ".join(f"'sha256-{base64.b64encode(one).decode()}'" for one in digests)
    assert allowed["default-src"] == allowed["base-uri"] == allowed["form-action"] == "'none'"
    assert not [tag for tag, attributes in elements.found if {"style", "src"} & attributes.keys()]
    assert not [name for _, attributes in elements.found for name in attributes if name.startswith("on")]
    assert [attributes["href"] for tag, attributes in elements.found if tag == "link"] == ["data:,"]


def test_no_value_becomes_markup_or_acts_on_its_reader(template):
    page = template("<p title='{{ value }}'>{{ value }}{{ said(value) }}</p>{{ embedded('x', value) }}", value=HOSTILE)
    elements = parsed(page)
    assert [tag for tag, _ in elements.found].count("script") == [tag for tag, _ in parsed(template("")).found].count(
        "script"
    ) + 1
    text = page.decode("utf-8")
    assert not re.search("[\x00\x1b\x7f\u202e\u2028]", text)
    [written] = [text for of, text in elements.texts if of == "script" and text.startswith('"\\u003c')]
    assert json.loads(written) == HOSTILE


@pytest.mark.parametrize("value", ["</script>", "<!--", "\u2028", "&lt;", HOSTILE, {"a": [HOSTILE, None, 1.5, True]}])
def test_data_of_a_page_come_back_as_they_were(value):
    inner = re.fullmatch(r'<script type="application/json" id="data-a">(.*)</script>', str(embedded("a", value)))
    assert not re.search(r"[<>&\u2028\u202e\x00]", inner[1])
    assert json.loads(inner[1]) == value


def test_data_that_are_no_json_are_refused():
    with pytest.raises(ValueError, match="JSON"):
        embedded("a", float("nan"))


def test_a_name_that_was_not_given_is_an_error(template):
    with pytest.raises(UndefinedError):
        template("{{ nobody }}")


def test_a_table_has_both_languages_and_knows_its_numbers():
    view = view_of(
        Table(
            pgettext(
                "titles",
                "{metric} ({unit}) by {breakdown}",
                metric="FactAcc",
                unit="%",
                breakdown=pgettext("heads", "type"),
            ),
            ("type", "value", "n"),
            (("<b>", "45.2%", 3), ("x", "-", 4)),
        ),
        2,
    )
    assert [head.numeric for head in view.heads] == [False, True, True]
    assert (
        str(view.title) == '<span lang="en">FactAcc (%) by type</span><span lang="zh">FactAcc（%），按类型分组</span>'
    )
    assert view.rows[0] == ("&lt;b&gt;", "45.2%", "3")


def test_what_is_the_same_in_both_languages_stands_once():
    assert said("no such words <i>") == "no such words &lt;i&gt;"


def test_no_script_ends_its_own_element():
    assert not re.search(r"</?script|<!--", source("page.js"), re.IGNORECASE)
