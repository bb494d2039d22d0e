"""Messages in English and Chinese: the catalogue knows all that the source says, and results stay as they are."""

from __future__ import annotations

import errno
import os
import re

import messages
import pytest

from medzh_score.cli.main import main
from medzh_score.readers.detect import SHAPES
from medzh_score.readers.files import SAID
from medzh_score.ui.cli import GENERAL, GROUPS
from medzh_score.ui.errors import MedzhError, error_line
from medzh_score.ui.i18n import GAP, MESSAGES, choose, current, in_chinese, pairs, translated

CHINESE = re.compile(r"[\u4e00-\u9fff]")
SIGNS = re.compile(r"[\u4e00-\u9fff（）：、]")  # of some texts no more is words of ours
WHOLE = [(english, chinese) for section, english, chinese in pairs() if section in MESSAGES]
TABLE = [(english, chinese) for section, english, chinese in pairs() if section in set(MESSAGES) - {"results"}]
LIBRARIES = (  # what they say of files that are wrong
    "Expected int >= 0",
    "Expected {0}, got {1}",
    "Object missing required field {0}",
    "Object contains unknown field {0}",
    "Invalid enum value {0}",
    "Compressed file ended before the end-of-stream marker was reached",
    "File is not a zip file",
    "[Errno -2] Name or service not known",
    "[Errno -3] Temporary failure in name resolution",
    "[Errno 111] Connection refused",
)
FILLING = (  # what fills the gaps of messages
    *("a decimal number", "true or false", "a JSON array", "a JSON object"),
    "a number from {0} to {1}, such as {2} or .5",
)
SYSTEM = (  # of which the system's own words are known
    errno.ENOENT,
    errno.EACCES,
    errno.EPERM,
    errno.EEXIST,
    errno.EISDIR,
    errno.ENOTDIR,
    errno.ENOTEMPTY,
    errno.ENOSPC,
    errno.EROFS,
    errno.EIO,
    errno.EMFILE,
    errno.ENAMETOOLONG,
    errno.EDQUOT,
)


@pytest.fixture
def chinese():
    token = current.set("zh")
    yield
    current.reset(token)


@pytest.mark.parametrize("package", messages.PACKAGES)
def test_the_catalogue_knows_all_that_a_package_says(package):
    known = {english for english, _ in TABLE}
    lacking = {file: sorted(texts - known) for file, texts in messages.of_package(package).items() if texts - known}
    assert lacking == {}


def test_the_catalogue_holds_nothing_that_nobody_says():
    spoken = set().union(*(texts for package in messages.PACKAGES for texts in messages.of_package(package).values()))
    own = {english for english, _ in TABLE if english.startswith(messages.ARGPARSE)}
    others = {GENERAL, *GROUPS, *SAID.values(), *SHAPES.values(), *map(os.strerror, SYSTEM), *LIBRARIES, *FILLING}
    assert sorted({english for english, _ in TABLE} - spoken - own - others) == []


def gaps(text):
    return {found[1] for found in GAP.finditer(text)}


def test_each_translation_is_chinese_and_fills_the_same_gaps():
    wrong = [
        english for _, english, chinese in pairs() if gaps(english) != gaps(chinese) or not (SIGNS.search(chinese))
    ]
    assert wrong == []


def test_no_english_message_stands_twice():
    assert len({english for english, _ in WHOLE}) == len(WHOLE)


@pytest.mark.usefixtures("chinese")
def test_each_message_with_gaps_is_found_when_they_are_filled():
    wrong = []
    for english, translation in WHOLE:
        if not GAP.search(english):
            continue
        filled, wanted = (GAP.sub(r"<\g<1>7>", text) for text in (english, translation))
        if translated(filled) != wanted:
            wrong.append(english)
    assert wrong == []


@pytest.mark.parametrize(
    ("arguments", "environment", "expected"),
    [
        ([], {}, "en"),
        (["score", "--lang", "zh"], {}, "zh"),
        (["score", "--lang=zh"], {"LANG": "en_US.UTF-8"}, "zh"),
        (["score", "--lang", "en"], {"LANG": "zh_CN.UTF-8"}, "en"),
        (["score", "--", "--lang", "zh"], {}, "en"),
        ([], {"LANG": "zh_CN.UTF-8"}, "zh"),
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
    assert [text for text in map(os.strerror, SYSTEM) if not CHINESE.search(translated(text))] == []
    error = MedzhError(f"cannot be written: {os.strerror(errno.ENOSPC)}", field="--out", file="p.jsonl")
    assert error_line(error) == "p.jsonl：选项 --out：无法写入：磁盘空间不足"


@pytest.mark.parametrize("name", ["none", "a file of text", "failed", "one", "an answer"])
def test_a_name_that_the_catalogue_knows_stays_a_name(name):
    """Where two templates match, a note is its sentence, not a part of it."""
    cases = [
        (f"tcmd of {name}", "titles", f"{name} 的 tcmd 结果"),
        (f"{name}: 1 of 24 predictions are missing.", "messages", f"{name}：24 条预测中缺失 1 条。"),
        (f"note: {name}: 1 of 24 predictions are missing.", "messages", f"注意：{name}：24 条预测中缺失 1 条。"),
        (
            "note: 154 of 204 predictions are missing; none may be.",
            "messages",
            "注意：204 个预测中缺失 154 个；一个都不能缺。",
        ),
        (f"Differences to {name}", "titles", f"与 {name} 之差"),
        ("a number from 0 to 1, such as 0 or .5", "messages", "0 到 1 的数，如 0 或 .5"),
        (
            "is of the wrong kind; expected a text, found a JSON array",
            "messages",
            "类型不对；应为 文本，实为 JSON 数组",
        ),
        ("is answered twice in one file", "messages", "在同一文件中回答了两次"),
    ]
    assert [in_chinese(text, section) for text, section, _ in cases] == [chinese for _, _, chinese in cases]


@pytest.mark.usefixtures("chinese")
def test_an_error_keeps_its_place_and_what_was_found():
    error = MedzhError("is a folder", file="p.jsonl", line=3, field="id", expected="a file", found="x\n", advice="?")
    line = error_line(error)
    assert line.startswith("p.jsonl:3：字段 id：")
    assert CHINESE.search(line.split("：", 2)[2])
    assert "实为 'x\\n'" in line
    assert "\n" not in line
    assert str(error).startswith("p.jsonl:3: field id: is a folder")


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
        (["explain", "FILE", "--unread", "3"], ["json"], ["text"]),
        (["prompts"], ["chat", "text"], []),
        (["prompts", "--round", "reason", "--after", "FILE"], ["sheet"], []),
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
        assert by_locale.out == english.out != b""
        assert (chinese.out == english.out) == (form in free)
        for said in (chinese, by_locale):
            assert CHINESE.search(said.err.decode("utf-8")) or command == ["prompts"]
        assert not CHINESE.search(english.err.decode("utf-8"))


@pytest.mark.parametrize(
    ("arguments", "english", "chinese"),
    [
        (["score", "x", "p", "--bootstrap", "-1"], "expected a whole number from 0; found '-1'", "应为从 0 起的整数"),
        (["prompts", "x", "--runs", "0"], "expected a whole number from 1; found '0'", "应为从 1 起的整数"),
        (["prompts", "x", "--runs", "two"], "expected a whole number from 1; found 'two'", "实为 'two'"),
        (["cite", "x", "--accessed", "1"], "expected a day such as 2024-05-01; found '1'", "应为日期，如 2024-05-01"),
    ],
)
def test_a_wrong_number_is_said_in_words(capsys, arguments, english, chinese):
    for language, words in (("en", english), ("zh", chinese)):
        with pytest.raises(SystemExit) as ended:
            main([*arguments, "--lang", language])
        assert ended.value.code == 2
        assert words in capsys.readouterr().err
