"""Messages in English and Chinese: the catalogue knows all that the source says, and results stay as they are."""

from __future__ import annotations

import errno
import io
import os
import re

import messages
import pytest

from medzh_score.cli.main import main
from medzh_score.ui.errors import MedzhError, error_text
from medzh_score.ui.i18n import _, choose, current, in_chinese, translated

CHINESE = re.compile(r"[\u4e00-\u9fff]")
SIGNS = re.compile(r"[\u4e00-\u9fff（）：、；]")  # of some texts no more is words of ours


@pytest.fixture
def chinese():
    token = current.set("zh")
    yield
    current.reset(token)


def test_every_message_is_translated():
    known = {(context, english) for context, english, _ in messages.entries()}
    assert {(path, text) for path, context, text in messages.marked() if (context, text) not in known} == set()


def test_no_text_reaches_a_user_without_a_mark():
    assert list(messages.unmarked()) == []


def test_the_catalog_holds_nothing_that_nobody_says():
    assert messages.unused() == []


def gaps(text):
    return sorted(set(messages.GAP.findall(text)))


def test_each_translation_is_chinese_and_fills_the_same_gaps():
    wrong = [
        english
        for _, english, chinese in messages.entries()
        if gaps(english) != gaps(chinese) or not SIGNS.search(chinese)
    ]
    assert wrong == []


def test_the_compiled_catalog_is_that_of_the_texts():
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    with messages.CATALOG.open("rb") as file:
        write_mo(compiled, read_po(file))
    assert compiled.getvalue() == messages.CATALOG.with_suffix(".mo").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "environment", "expected"),
    [
        ([], {}, "en"),
        (["score", "--lang", "zh"], {}, "zh"),
        (["score", "--lang=zh"], {"LANG": "en_US.UTF-8"}, "zh"),
        (["score", "--lang", "en"], {"LANG": "zh_CN.UTF-8"}, "en"),
        (["score", "--", "--lang", "zh"], {}, "en"),
        ([], {"LANG": "zh_CN.UTF-8"}, "zh"),
        ([], {"MEDZH_LANG": "en", "LANG": "zh_CN.UTF-8"}, "en"),
        (["--lang", "en"], {"MEDZH_LANG": "zh"}, "en"),
        ([], {"MEDZH_LANG": "fr", "LANG": "zh_CN.UTF-8"}, "zh"),
        ([], {"LANG": "zh_TW"}, "zh"),
        ([], {"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ([], {"LC_ALL": "C.UTF-8", "LANG": "zh_CN.UTF-8", "LANGUAGE": "zh"}, "en"),
        ([], {"LC_ALL": "", "LC_MESSAGES": "zh_CN.UTF-8", "LANG": "en_GB.UTF-8"}, "zh"),
        ([], {"LANG": "en_US.UTF-8", "LANGUAGE": "zh_CN:en"}, "zh"),
        ([], {"LANG": "zh_CN.UTF-8", "LANGUAGE": "en"}, "en"),
        (["--lang", "fr"], {"LANG": "zh_CN.UTF-8"}, "zh"),
        (["--lang"], {}, "en"),
    ],
)
def test_the_language_is_that_of_the_option_or_of_the_locale(arguments, environment, expected):
    token = current.set("en")
    try:
        choose(arguments, environment)
        assert current.get() == expected
    finally:
        current.reset(token)


@pytest.mark.usefixtures("chinese")
def test_what_the_system_says_is_said_in_chinese():
    assert [text for text in map(os.strerror, messages.SYSTEM) if not CHINESE.search(translated(text))] == []
    error = MedzhError(
        _("cannot write to the path: {strerror}", strerror=_(os.strerror(errno.ENOSPC))),
        field="--output",
        file="p.jsonl",
    )
    assert error_text(error) == "p.jsonl：选项 --output：无法写入：磁盘空间不足"


def test_values_of_the_user_are_not_translated():
    message = _("{label}: {missing} of {expected} predictions are missing.", label="none", missing=1, expected=24)
    assert in_chinese(message).startswith("none：")
    assert in_chinese(_("the path is a folder")) != in_chinese(str(message)) == message


@pytest.mark.usefixtures("chinese")
def test_an_error_keeps_its_place_and_what_was_found():
    error = MedzhError(
        _("the path is a folder"), file="p.jsonl", line=3, field="id", expected=_("a file"), found="x\n", advice="?"
    )
    line = error_text(error)
    assert line.startswith("p.jsonl:3：字段 id：")
    assert CHINESE.search(line.split("：", 2)[2])
    assert "，实际为 'x\\n'\n  处理方法：" in line
    assert "\n" not in line.replace("\n  处理方法：", "")
    assert str(error).startswith('p.jsonl:3: field "id": the path is a folder')


@pytest.mark.parametrize("command", [[], ["score"], ["check"]])
def test_help_is_chinese_where_asked_for(capsys, command):
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help", "--lang", "zh"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert shown.startswith("用法：")
    assert "options:" not in shown


@pytest.mark.parametrize(
    ("command", "free", "read"),
    [
        (["score", "FILE"], ["json", "csv"], ["text", "markdown", "latex"]),
        (["check", "FILE"], ["json"], ["text", "markdown", "latex"]),
        (["explain", "FILE", "--unparsed", "3"], ["json"], ["text"]),
        (["prompts"], ["chat", "text"], []),
        (["prompts", "--stage", "reason", "--predictions", "FILE"], [], ["csv"]),
    ],
)
def test_what_people_read_is_in_the_language_that_the_option_names(
    capsysbinary, monkeypatch, sdak_build, sdak_sample, command, free, read
):
    words = [str(sdak_sample / "predictions.jsonl") if word == "FILE" else word for word in command[1:]]

    def written(form, *language):
        assert main([command[0], "sdak", *words, "--data", str(sdak_build), "--to", form, *language]) == 0
        return capsysbinary.readouterr()

    for form in free + read:
        english, chinese = written(form, "--lang", "en"), written(form, "--lang", "zh")
        monkeypatch.setenv("LANG", "zh_CN.UTF-8")
        by_locale = written(form)
        monkeypatch.delenv("LANG")
        assert by_locale.out == chinese.out != b""
        assert (chinese.out == english.out) == (form in free)
        for said in (chinese, by_locale):
            assert CHINESE.search(said.err.decode("utf-8")) or command == ["prompts"]
        assert not CHINESE.search(english.err.decode("utf-8"))


@pytest.mark.parametrize(
    ("arguments", "english", "chinese"),
    [
        (
            ["score", "x", "p", "--bootstrap", "-1"],
            "expected an integer of at least 0, found '-1'",
            "应为整数（至少为 0），实际为 '-1'",
        ),
        (
            ["prompts", "x", "--runs", "0"],
            "expected an integer of at least 1, found '0'",
            "应为整数（至少为 1），实际为 '0'",
        ),
        (
            ["prompts", "x", "--runs", "two"],
            "expected an integer of at least 1, found 'two'",
            "应为整数（至少为 1），实际为 'two'",
        ),
        (
            ["cite", "x", "--accessed", "1"],
            "expected a date such as 2024-05-01, found '1'",
            "应为日期（如 2024-05-01），实际为 '1'",
        ),
    ],
)
def test_a_wrong_number_is_said_in_words(capsys, arguments, english, chinese):
    for language, words in (("en", english), ("zh", chinese)):
        with pytest.raises(SystemExit) as ended:
            main([*arguments, "--lang", language])
        assert ended.value.code == 2
        assert words in capsys.readouterr().err
