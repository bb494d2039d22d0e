"""The encoding of a user's text: told by its bytes alone, and refused where it would be a guess."""

from __future__ import annotations

import pytest

from dataset_scripts.terminology.frequent import table
from medzh_score.files.encodings import BIG5, EITHER, FREQUENT, GB18030, likely_encoding
from medzh_score.files.input_file import InputFile
from medzh_score.files.package_files import package_file
from medzh_score.files.sheets import read_rows
from medzh_score.messages.errors import MedzhError

CHINESE = "妊娠期高血压疾病是产科常见的并发症，应定期产前检查。"
TRADITIONAL = "妊娠期高血壓疾病為產科常見之併發症，應定期產前檢查與監測。"


SIMPLIFIED_TEXTS = (
    *("正确", "细菌感染", "高血压患者", "错误，发热", "苯丙胺类药物", "癫痫持续状态"),
    *(CHINESE, "α-地中海贫血的诊断依靠血红蛋白电泳，体温 38.5 ℃ 并不少见，血红蛋白下降也应复查。"),
)
TRADITIONAL_TEXTS = (
    *("正確", "高血壓", "錯誤，發熱", "癲癇重積狀態", "苯丙胺類藥物與羥嗪"),
    *(TRADITIONAL, "急性闌尾炎係臨床常見之急腹症，嘅喺啲。"),
)
SHORT = ("發熱", "錯誤", "感染", "羥", "癲癇")


@pytest.mark.parametrize("text", SIMPLIFIED_TEXTS)
def test_simplified_chinese_is_known(text):
    assert likely_encoding(text.encode("gb18030")) == GB18030


@pytest.mark.parametrize("text", TRADITIONAL_TEXTS)
def test_big5_is_known_though_it_reads_as_gb18030(text):
    assert likely_encoding(text.encode("big5hkscs")) == BIG5


@pytest.mark.parametrize("text", SHORT)
@pytest.mark.parametrize("times", [1, 50])
def test_what_is_short_is_not_guessed_however_often_it_is_repeated(text, times):
    content = f"{text},".encode("big5") * times
    content.decode("gb18030")  # it reads as that, too
    assert likely_encoding(content) == EITHER


def test_a_sheet_in_big5_is_refused_and_named(tmp_path):
    path = tmp_path / "p.csv"
    for word, words in (("發熱", "may be GB18030 or Big5"), (TRADITIONAL, "it seems, Big5")):
        path.write_bytes(f"id,prediction\na,{word}\n".encode("big5"))
        with InputFile(path) as file, pytest.raises(MedzhError) as caught:
            list(read_rows(file, ("id", "prediction")))
        assert words in caught.value.problem
        assert (caught.value.line, caught.value.advice.count("CSV UTF-8")) == (2, 1)


def test_the_table_of_frequent_characters_is_as_the_dictionary_counts():
    assert package_file("medzh_score", FREQUENT).read_text(encoding="utf-8") == table()


@pytest.mark.parametrize("word", ["头痛", "偏头痛", "贫血", "血压", "确实", "女"])
def test_a_line_of_gb18030_that_is_letters_in_utf_8_changes_nothing(tmp_path, word):
    word.encode("gb18030").decode("utf-8")
    path = tmp_path / "sheet.csv"
    rows = [f"a{place},{text}" for place, text in enumerate((word, CHINESE, word))]
    path.write_bytes("\n".join(["id,prediction", *rows]).encode("gb18030"))
    with InputFile(path) as file:
        assert [row["prediction"] for _, row in read_rows(file, ("id",))] == [word, CHINESE, word]


def test_a_line_in_utf_8_that_is_chinese_is_no_line_of_gb18030(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_bytes(f"id,prediction\na,{CHINESE}\n".encode() + f"b,{CHINESE}\n".encode("gb18030"))
    with InputFile(path) as file, pytest.raises(MedzhError, match="not UTF-8"):
        list(read_rows(file, ("id",)))
