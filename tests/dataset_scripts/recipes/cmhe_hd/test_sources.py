"""What CMHE-HD's rebuilt recipe reads: cMedQA2 (small files made here), CMD (the real sample too), settings."""

from __future__ import annotations

import csv
import io
import unicodedata
import zipfile
from itertools import product

import pytest
from recipe_work import own_file

from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.cmhe_hd.cmedqa2 import Pair, draw_pairs, read_pairs
from dataset_scripts.recipes.cmhe_hd.csv_tables import read_table
from dataset_scripts.recipes.cmhe_hd.generated import lowest, read_answer, read_questions
from dataset_scripts.recipes.cmhe_hd.settings import Settings, changed, read_settings
from medzh_score.messages.errors import MedzhError

QUESTIONS = "question_id,content\n1,感冒发烧怎么办？\n2,失眠怎么办？\n3,\n2,又一个问题\n"
ANSWERS = (
    'ans_id,question_id,content\n10,1,"多休息，多喝水。"\n11,1,对症用药。\n20,2,规律作息。\n30,3,先就医。\n40,9,没有这个问题。\n'
    "50,1, \n20,2,重复的编号。\n60,1\n"
)


def source(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return SourceFile(path.stem, path, "0" * 64, pinned=False)


def zipped(files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


@pytest.fixture
def given(tmp_path):
    return {
        "cmedqa2-questions": source(tmp_path / "question.csv", QUESTIONS),
        "cmedqa2-answers": source(tmp_path / "answer.csv", ANSWERS),
    }


# cMedQA2.


def test_pairs_are_read_and_what_is_left_out_is_counted(given):
    pairs, left_out = read_pairs(given)
    assert [(pair.key, pair.answer) for pair in pairs] == [
        ("1/10", "多休息，多喝水。"),
        ("1/11", "对症用药。"),
        ("2/20", "规律作息。"),
    ]
    assert pairs[2].question == "失眠怎么办？"
    assert left_out == {
        "rows without a text": 2,
        "rows with a number that stood before": 2,
        "answers to a question that is not there": 1,
        "rows with another number of cells than the header": 1,
    }


def test_the_archives_of_the_release_are_read_as_they_are(given, tmp_path):
    packed = {
        "cmedqa2-questions": source(
            tmp_path / "question.zip", zipped({"question.csv": QUESTIONS, "__MACOSX/x.csv": "x"})
        ),
        "cmedqa2-answers": source(
            tmp_path / "answer.zip", zipped({"answer.csv": "\ufeff" + ANSWERS.replace("\n", "\r\n")})
        ),
    }
    assert read_pairs(packed) == read_pairs(given)


@pytest.mark.parametrize(
    ("files", "keys"),
    [
        ({"cmedqa2-train": "question_id,pos_ans_id,neg_ans_id\n1,11,20\n1,11,30\n"}, ["1/11"]),
        ({"cmedqa2-test": "question_id,ans_id,cnt,label\n1,10,0,1\n1,20,1,0\n2,20,0,1\n"}, ["1/10", "2/20"]),
        (
            {
                "cmedqa2-train": "question_id,pos_ans_id,neg_ans_id\n1,11,20\n",
                "cmedqa2-dev": "question_id,ans_id,cnt,label\n2,20,0,1\n",
            },
            ["1/11", "2/20"],
        ),
    ],
)
def test_candidates_limit_the_pairs_to_those_that_they_call_right(given, tmp_path, files, keys):
    for name, content in files.items():
        given[name] = source(tmp_path / f"{name}.csv", content)
    assert [pair.key for pair in read_pairs(given)[0]] == keys


def test_files_that_give_no_pair_are_refused(given, tmp_path):
    nothing = {"cmedqa2-test": source(tmp_path / "test.csv", "question_id,ans_id,cnt,label\n1,10,0,0\n")}
    with pytest.raises(MedzhError, match=r"gives no pair; .*'\d pairs, of which the candidates call none right'"):
        read_pairs(given | nothing)
    other = {"cmedqa2-questions": source(tmp_path / "other.csv", "question_id,content\n77,头痛怎么办？\n")}
    with pytest.raises(MedzhError, match=r"gives no pair; .*; found 'none that can be used'"):
        read_pairs(given | other)
    with pytest.raises(MedzhError, match="field ans_id: holds answers, not questions"):
        read_pairs(given | {"cmedqa2-questions": given["cmedqa2-answers"]})
    with pytest.raises(MedzhError, match="holds no candidates; expected pos_ans_id, or ans_id and label"):
        read_pairs(given | {"cmedqa2-dev": source(tmp_path / "dev.csv", "question_id,x\n1,2\n")})


@pytest.mark.parametrize("missing", ["cmedqa2-questions", "cmedqa2-answers"])
def test_one_half_is_of_no_use_without_the_other(given, missing):
    del given[missing]
    with pytest.raises(MedzhError, match=f"is of no use without {missing}"):
        read_pairs(given)


def test_a_table_in_utf_8_is_read_as_that_whatever_the_release_has(tmp_path):
    text = "department,title,ask,answer\n内科,标题,头痛三天怎么办？,多休息。\n"
    files = [source(tmp_path / f"{name}.csv", text.encode(name)) for name in ("utf-8", "utf-8-sig", "gb18030")]
    tables = [read_table(file.path, ("ask",), "gb18030") for file in files]
    assert [table.rows[0]["ask"] for table in tables] == ["头痛三天怎么办？"] * 3


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("id,content\n1,x\n", "own.csv:1: field question_id: a column is missing; expected question_id, content"),
        (b"PK\x03\x04 broken", "own.csv: cannot be unpacked"),
        (zipped({"a.csv": "x", "b.csv": "y"}), "expected an archive with one CSV file; found 'a.csv, b.csv'"),
        (zipped({"a": "x"}), "is no such archive"),
        ("question_id,content\n", "own.csv: has no row that can be used; found 'no rows'"),
        (
            "question_id,content\n1,头痛怎么办？\n".encode("gb18030"),
            "own.csv: has no row that can be used; found '1 rows with characters that were lost'; save it as UTF-8",
        ),
        ("question_id,content\n1,x\n".encode("utf-16"), "own.csv: is UTF-16; expected UTF-8"),
        ("question_id,question_id,content\n1,2,a\n", "a column stands twice"),
        ('question_id,content\n1,x\n2,"y\n3,z\n', "own.csv:3: a quote is never closed; fetch it again"),
        ('question_id,content\n1,"x\ny"\n2,"y', "own.csv:4: a quote is never closed"),
    ],
)
def test_a_faulty_file_is_named(tmp_path, content, words):
    file = source(tmp_path / "own.csv", content)
    with pytest.raises(MedzhError) as caught:
        read_table(file.path, ("question_id", "content"), "utf-8")
    assert words in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(MedzhError, match="cannot be read: No such file"):
        read_table(tmp_path / "none.csv", ("a",), "utf-8")


def test_samples_share_no_question_and_do_not_depend_on_the_order():
    pairs = [
        Pair(f"{number}/{place}", f"问题{number}", f"回答{place}") for number, place in product(range(40), range(3))
    ]
    first, second = draw_pairs(pairs, 0, 25, 30)
    assert (len(first), len(second)) == (25, 15)
    questions = [pair.question for pair in (*first, *second)]
    assert len(set(questions)) == 40
    assert draw_pairs(pairs[::-1], 0, 25, 30) == [first, second]
    assert draw_pairs(pairs, 1, 25, 30) != [first, second]
    assert draw_pairs(pairs, 0, 10, 30)[0] == first[:10]


# CMD.

HEADER = "department,title,ask,answer\n"


def questions_of(tmp_path, content):
    return read_questions({"cmd-sample": source(tmp_path / "cmd-sample.csv", content)})


def test_a_question_is_what_is_asked_or_the_title_where_nothing_is(tmp_path):
    text = (
        "内科,头晕是什么原因？,最近总是头晕，是什么原因？,回答\n内科,血压高要吃药吗？,无,回答\n内科,咳嗽,无,回答\n"
        "内科,头晕,最近总是头晕， 是什么原因？,另一个回答\n内科,少一格,咳嗽一周了怎么办\n"
    )
    questions, left_out = questions_of(tmp_path, (HEADER + text).encode("gb18030"))
    assert [one.text for one in questions] == ["最近总是头晕，是什么原因？", "血压高要吃药吗？"]
    assert {one.source for one in questions} == {"cmd-sample"}
    assert left_out == {
        "rows that ask nothing in ask or title": 1,
        "rows that ask what stood before": 1,
        "rows with another number of cells than the header": 1,
    }


def test_rows_with_lost_characters_are_left_out(tmp_path):
    content = (HEADER + "内科,头晕,最近总是头晕怎么办？,回答\n内科,咳嗽,").encode("gb18030") + b"\xff\xff\x81,x\n"
    questions, left_out = questions_of(tmp_path, content)
    assert len(questions) == 1
    assert left_out == {"rows with characters that were lost": 1}


def plain(text):
    return "".join(unicodedata.normalize("NFKC", text).split())


def test_the_real_sample(upstream_file):
    """Source: a count of our own over the file."""
    path = upstream_file(
        "Toyhom/Chinese-medical-dialogue-data/26724a4357fcd142f0cab81188cacf1a2dd8a827/样例_内科5000-6000.csv"
    )
    with path.open(encoding="gb18030", newline="") as stream:
        rows = list(csv.DictReader(stream))
    asked = [(plain(row["ask"]), plain(row["title"])) for row in rows]
    expected = {text if len(text) >= 5 else title for text, title in asked}
    expected = {text for text in expected if len(text) >= 5}
    questions, left_out = read_questions({"cmd-sample": SourceFile("cmd-sample", path, "0" * 64, pinned=True)})
    assert {plain(one.text) for one in questions} == expected
    assert (len(rows), len(questions), sum(left_out.values())) == (7_644, 7_241, 403)


# Answers and ratings.


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("多饮水。", "多饮水。"),
        ("医生：多饮水。\n\n患者：谢谢", "多饮水。"),
        ("<think>发热</think>\n回答: 多饮水。\n注意休息。", "多饮水。\n注意休息。"),
        ("多饮水。<|im_end|>", "多饮水。"),
        ("", None),
        ("医生：\n", None),
        ("<think>发热", None),
    ],
)
def test_answers_are_read(text, answer):
    assert read_answer(text) == answer


def test_what_is_rated_lowest_is_kept_lowest_first():
    ratings = {"a": (3, 1), "b": (1, 1), "c": (2, 3), "d": (7, 7), "e": (1, 2, 1), "f": (1, 3)}
    assert lowest(ratings, 2.0) == ["b", "e", "a", "f"]
    assert lowest(ratings, 1.0) == ["b"]
    assert lowest(ratings, 7.0)[-1] == "d"
    assert lowest({"g": (1, 1)}, 0.5) == ["g"]
    assert lowest({"h": (2, 2, 3)}, 2.34) == ["h"]
    assert lowest({"h": (2, 2, 3)}, 2.33) == []


# Settings.


@pytest.fixture
def settings(tmp_path):
    return lambda text: read_settings(own_file(tmp_path / "settings.toml", text))


def test_settings_replace_the_papers_numbers(settings):
    assert settings("") == Settings() == Settings(1000, 387, 613, 5000, 1000, 2, 2.0, 3)
    own = settings("\ufeffrating = 2.5\nconfirmers = 1\n")
    assert own == Settings(rating=2.5, confirmers=1)
    assert changed(own) == ("settings of the user: rating 2.5 in place of 2; confirmers 1 in place of 3",)
    assert changed(Settings()) == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("threshold = 2", "field threshold: is no setting; expected correct, generated"),
        ("rating = 8", "field rating: is out of its range; expected a number from 1 to 7; found 8"),
        ("rating = nan", "field rating: is out of its range"),
        ("raters = 1", "field raters: is out of its range; expected a whole number from 2"),
        ("correct = 1.5", "field correct: is out of its range"),
        ("correct = true", "field correct: is out of its range"),
        ('correct = "9"', "field correct: is out of its range"),
        ("correct =", "is no settings file in TOML"),
    ],
)
def test_faulty_settings_are_named(settings, text, words):
    with pytest.raises(MedzhError, match=words):
        settings(text)
