"""What stands elsewhere with a like character is misspelt; what is rare in itself, or spelt both ways, is not."""

from __future__ import annotations

from tables import case_tables, holds

from dataset_scripts.recipes.tcmd.groups import Group, SubQuestion
from dataset_scripts.recipes.tcmd.misspelt import OFTEN, misspelt

CASES = case_tables("tcmd_banks")


def asked(question, options=("甲", "乙"), stem=None):
    return Group("A1", stem, (SubQuestion(question, options, "A", None, ""),), "", "bank")


def test_misspelt_words_are_found_beside_common_ones():
    def found(word, common, often):
        bank = [asked(f"患者{common}，病程{number}日，治法是") for number in range(often)]
        return [place - often for place in sorted(misspelt([*bank, asked(word), asked("脾主运化")]))]

    holds(CASES["spelt"], found)


def test_options_and_stems_are_looked_into_and_two_misprints_found():
    common = [asked(f"大便干结{number}日") for number in range(2 * OFTEN)]
    odd = [asked("证属", ("大便于结", "乙")), asked("治法是", stem="患者大便于结")]
    assert misspelt([*common, *odd]) == {2 * OFTEN, 2 * OFTEN + 1}
    assert misspelt([*common, *odd, asked("见大便于结")]) == set()  # three times is no slip
