"""Warnings on a report: a code with parameters each, from which the sentence is made when it is shown."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from medzh_score.ui.i18n import N_, _, joined, pgettext

# The sentence of each code.
TEMPLATES = {
    "private": N_(
        "private: no text stands here; groups under {fewest} items and tables of the config's own are withheld"
    ),
    "rows_edited": N_(
        "The rows are not those of a build by the recipe {recipe}, but edited or made by hand, and "
        "no benchmark: compare with no paper."
    ),
    "not_official_data": N_("The data are {made}, not the official benchmark: compare with no paper."),
    "partly_published_data": N_("The data are what is published of the benchmark, {part}: compare with no paper."),
    "requests_failed": N_("{count} requests failed and count as missing; first {first}."),
    "high_unparsed_rate": N_("No answer was found in {unread} of {read} predictions; look at --items."),
    "high_truncation_rate": N_("{truncated} of {read} predictions were cut off at the length limit."),
    "bounds_of_open_answers": N_(
        "Were all answers that are left open wrong, {metric} would be {worst}; were all of them right, {best}."
    ),
    "too_long_cut": N_(
        "Caution: {count} predictions run on, past {most:,} characters; only the beginning counts: {named}."
    ),
    "too_long_unparsed": N_("Caution: {count} predictions run on, past {most:,} characters; they are unread: {named}."),
    "runs_name_no_model": N_(
        "{some} of {files} files that count as runs name no model, such as {first}: taken to be of one model."
    ),
    "missing_scored_incorrect": N_("{missing} of {expected} predictions are missing and count as wrong."),
    "responses_scored_incorrect": N_("{count} responses of round {stage} are missing and count as wrong."),
    "denominators_from_answers": N_(
        "The denominators of {metrics} come from the answers: these metrics do not say what would "
        "have become of what is missing, and leaving out bad answers raises them."
    ),
    "variants_numbered_otherwise": N_(
        "Variant 0 is right in {first:.1f} % of {answers} answers, the other variants in {rest:.1f} "
        "% of {others}, and nothing says which were asked: numbered otherwise than by the rank of "
        "the permutation, they are read wrongly. Name them with --variants, or the prompts file with "
        "--prompts."
    ),
    "clusters_dropped": N_(
        "{dropped} of {of} units lack a prediction or a due judgement in some run and are dropped from all runs."
    ),
    "stage_names_no_model": N_('{count} of the responses of round {stage} name no model: add "model" to their lines.'),
    "stage_lacks_worst": N_("Caution: {count} due judgements of round {stage} lack and count as the worst value."),
    "stage_lacks": N_("Caution: {count} due judgements of round {stage} lack; there is no worst value to count."),
    "stage_of_others": N_("Round {stage}: {count} rows judge answers of others."),
    "stage_unverified": N_("Round {stage}: unverified, since {count} values came without the code of what they judge."),
    "stage_control": N_(
        "Round {stage} was answered by {by}, the first round by {model}: a control, no test of a model on itself."
    ),
    "second_reading": N_(
        "Round {stage}: {due} due, {read} read ({answered} with an answer), {unreadable} unreadable, "
        "{missing} missing{how}."
    ),
    "second_reading_controls": N_(
        "On {agreeing} of {of} controls the second reader says what the rule says (95 % interval "
        "{low:.1f} to {high:.1f} %)."
    ),
    "audit": N_("Round {stage}: {audited} audited, {unread} came back without a value{how}."),
    "model_read_itself": N_("Caution: round {stage} was answered by {name}, the model whose answers are read."),
    "unpinned_data": N_(
        "The data are made from a file that is not pinned, not the official benchmark: compare with no paper."
    ),
}
# What came back in a stage about items, of which only what there is is said, in this order.
STAGE_PARTS = {
    "judged": N_("{judged} judged"),
    "judged_of": N_("{judged} of {of} (the others count by their records) judged"),
    "judged_by": N_("{judged} judged by {by}"),
    "judged_of_by": N_("{judged} of {of} (the others count by their records) judged by {by}"),
    "read": N_("{read} read"),
    "always_blank": N_("{blank} left blank"),
    "unreadable": N_("{unreadable} unreadable ({unreadable_first})"),
    "empty": N_("{empty} empty ({empty_first})"),
    "unanswered": N_("{unanswered} empty or failed ({unanswered_first})"),
    "blank": N_("{blank} left blank"),
    "missing": N_("{missing} missing"),
    "lacking": N_("{lacking} lacking"),
    "replaced": N_("{replaced} replaced by a later file"),
    "not_drawn": N_("{not_drawn} not drawn, which count nothing: --round-sample {stage}=N:SEED says what was drawn"),
    "left_out_own": N_("{left_out} left out, whose first answer is missing or whose unit was dropped"),
    "left_out": N_("{left_out} left out, which rule {rule} does not read as the round needs"),
}
SET_APART = ("not_drawn", "left_out_own", "left_out")


class ReportWarning(msgspec.Struct, frozen=True, omit_defaults=True):
    """A remark on a report: its code, how grave it is, and the numbers and names that its sentence holds.

    Of ``stage_labels`` the parts say what the sentence is made of; ``config_caution`` holds a sentence of the config.
    """

    code: str
    level: Literal["warning", "note"]
    params: dict[str, Any]
    parts: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Give the sentence in English."""
        return str(self.message)

    @property
    def message(self) -> str:
        """The sentence, which is translated when it is shown."""
        params = {name: joined(value) if isinstance(value, list) else value for name, value in self.params.items()}
        if self.code == "config_caution":
            return pgettext(None, params["text"])
        if self.code == "stage_labels":
            said = {part: _(STAGE_PARTS[part], **params) for part in self.parts}
            apart = [said.pop(part) for part in SET_APART if part in said]
            labels = joined([joined(said.values()), *apart], "; ")
            return _("Round {stage}: {labels}.", stage=params["stage"], labels=labels)
        return _(TEMPLATES[self.code], **params)


def warn(code: str, **params: Any) -> ReportWarning:  # noqa: ANN401 - what a template takes
    """Make a warning, which limits the use of a number."""
    return ReportWarning(code, "warning", params)


def note(code: str, **params: Any) -> ReportWarning:  # noqa: ANN401 - what a template takes
    """Make another remark."""
    return ReportWarning(code, "note", params)
