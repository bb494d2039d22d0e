"""Warnings on a report: a code with parameters each, from which the sentence is made when it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from medzh_score.prompting.ids import key_text, split_id
from medzh_score.ui.i18n import N_, Nn_, _, _n, joined, pgettext
from medzh_score.ui.numbers import percent

if TYPE_CHECKING:
    from collections.abc import Mapping

# The sentence of each code.
TEMPLATES: dict[str, str | tuple[str, str]] = {
    "private": N_(
        "The config is private. No text is shown. Groups with fewer than {fewest} items and the tables of the "
        "config are withheld."
    ),
    "rows_edited": N_(
        "The records are not an unchanged build of recipe {recipe}: they were edited or written by hand. Do "
        "not compare with published results."
    ),
    "not_official_data": N_(
        "The data were built with recipe {made} and are not the official benchmark. Do not compare with "
        "published results."
    ),
    "partly_published_data": N_(
        "The data contain only the published part of the benchmark ({part}). Do not compare with published results."
    ),
    "requests_failed": Nn_(
        "{count} request failed and counts as missing: {first}.",
        "{count} requests failed and count as missing. The first is {first}.",
    ),
    "high_unparsed_rate": N_("{unparsed:,} of {read:,} answers are unparsed. Inspect them with explain."),
    "metric_unparsed": N_("{metric}: {unparsed:,} of {read:,} answers are unparsed."),
    "high_truncation_rate": N_("{truncated} of {read} predictions were truncated at the token limit."),
    "bounds_of_open_answers": N_(
        "If all unparsed and missing answers were incorrect, {metric} would be {worst}. If all were "
        "correct, it would be {best}."
    ),
    "too_long_cut": Nn_(
        "{count} prediction is longer than {most:,} characters ({named}). Only its beginning is scored.",
        ("{count} predictions are longer than {most:,} characters ({named}). Only the beginning of each is scored."),
    ),
    "too_long_unparsed": Nn_(
        "{count} prediction is longer than {most:,} characters and counts as unparsed: {named}.",
        "{count} predictions are longer than {most:,} characters and count as unparsed: {named}.",
    ),
    "runs_name_no_model": N_(
        "{some} of {files} files that count as runs (such as {first}) have no model name. All files are "
        "treated as runs of one model."
    ),
    "missing_scored_incorrect": N_("{missing} of {expected} predictions are missing and scored as incorrect."),
    "responses_scored_incorrect": Nn_(
        "{count} response of stage {stage} is missing and scored as incorrect.",
        "{count} responses of stage {stage} are missing and scored as incorrect.",
    ),
    "denominators_from_answers": N_(
        "The denominators of {metrics} depend on the answers. These metrics do not reflect missing predictions, "
        "and omitting bad answers increases them."
    ),
    "variants_numbered_otherwise": N_(
        "With option order 0, {first}% of {answers} answers are correct; with the other option orders, "
        "{rest}% of {others}. The queried option orders are unknown. If they are not numbered by "
        "permutation rank, answers are extracted incorrectly. Specify the option orders with --variants, "
        "or the prompts file with --prompts."
    ),
    "clusters_dropped": N_(
        "{dropped} of {of} clusters have a missing prediction or annotation in a run and are dropped from all runs."
    ),
    "stage_names_no_model": Nn_(
        '{count} response of stage {stage} has no model name. Add "model" to its line.',
        '{count} responses of stage {stage} have no model name. Add "model" to their lines.',
    ),
    "stage_lacks_worst": Nn_(
        "{count} annotation of stage {stage} is missing and scored with the worst value.",
        "{count} annotations of stage {stage} are missing and scored with the worst value.",
    ),
    "stage_lacks": Nn_(
        "{count} annotation of stage {stage} is missing. The stage has no worst value to score it with.",
        "{count} annotations of stage {stage} are missing. The stage has no worst value to score them with.",
    ),
    "stage_of_others": Nn_(
        "Stage {stage}: {count} row annotates an answer of another model.",
        "Stage {stage}: {count} rows annotate answers of other models.",
    ),
    "stage_unverified": Nn_(
        "Stage {stage}: {count} annotation has no answer hash, so the annotated text is unverified.",
        "Stage {stage}: {count} annotations have no answer hash, so the annotated text is unverified.",
    ),
    "stage_control": N_(
        "Stage {stage} was answered by {by}, the first prompts by {model}. This is a control, not a test of "
        "a model on its own answers."
    ),
    "fallback_controls": N_(
        "The fallback extractor agrees with the rule on {agreeing} of {of} control items (95% CI in percent: "
        "[{low}, {high}])."
    ),
    "model_read_itself": N_("Stage {stage} was answered by {name}, which also generated the predictions."),
    "unpinned_data": N_(
        "The data were built from an unpinned source, not from the official benchmark. Do not compare with "
        "published results."
    ),
}
# The same in one line, where the sentence is longer.
SUMMARIES: dict[str, str | tuple[str, str]] = {
    "private": N_("private config: texts and small groups are withheld"),
    "rows_edited": N_("edited data, not the official benchmark: do not compare with published results"),
    "not_official_data": N_("{data}, not the official benchmark: do not compare with published results"),
    "unpinned_data": N_("data from an unpinned source: do not compare with published results"),
    "partly_published_data": N_("only a part of the benchmark: do not compare with published results"),
    "requests_failed": Nn_(
        "{count} request failed and counts as missing; send it again",
        "{count} requests failed and count as missing; send them again",
    ),
    "high_unparsed_rate": N_("{unparsed:,} of {read:,} answers are unparsed; inspect them with explain"),
    "metric_unparsed": N_("{metric}: {unparsed:,} of {read:,} answers are unparsed"),
    "high_truncation_rate": N_("{truncated} of {read} predictions were truncated; raise the token limit"),
    "missing_scored_incorrect": N_("{missing} of {expected} predictions are missing and count as incorrect"),
    "responses_scored_incorrect": Nn_(
        "stage {stage}: {count} missing response counts as incorrect",
        "stage {stage}: {count} missing responses count as incorrect",
    ),
    "too_long_cut": Nn_(
        "{count} prediction is too long; only its beginning is scored",
        "{count} predictions are too long; only their beginning is scored",
    ),
    "too_long_unparsed": Nn_(
        "{count} prediction is too long and counts as unparsed",
        "{count} predictions are too long and count as unparsed",
    ),
    "runs_name_no_model": N_("{some} of {files} files name no model; all count as runs of one model"),
    "denominators_from_answers": N_("missing predictions do not lower {metrics}"),
    "variants_numbered_otherwise": N_("option orders may be wrong; specify them with --variants or --prompts"),
    "clusters_dropped": N_("{dropped} of {of} clusters are incomplete and are dropped from all runs"),
    "stage_names_no_model": Nn_(
        "stage {stage}: {count} response has no model name; add it",
        "stage {stage}: {count} responses have no model name; add it",
    ),
    "stage_unverified": Nn_(
        "stage {stage}: {count} annotation has no answer hash",
        "stage {stage}: {count} annotations have no answer hash",
    ),
    "stage_lacks_worst": Nn_(
        "stage {stage}: {count} missing annotation gets the worst value",
        "stage {stage}: {count} missing annotations get the worst value",
    ),
    "stage_lacks": Nn_(
        "stage {stage}: {count} annotation is missing and not scored",
        "stage {stage}: {count} annotations are missing and not scored",
    ),
    "stage_of_others": Nn_(
        "stage {stage}: {count} row is for another model",
        "stage {stage}: {count} rows are for other models",
    ),
    "fallback_controls": N_("fallback extractor and rule agree on {agreeing} of {of} control items"),
    "model_read_itself": N_("stage {stage}: {name} annotated its own predictions"),
    "stage_labels": N_("stage {stage}: {judged} annotated, {without} without a label"),
    "fallback": N_("stage {stage}: answers extracted from {answered} of {expected}"),
    "audit": N_("stage {stage}: {audited} audited, {unparsed} without an answer"),
    "stage_control": N_("stage {stage}: answered by {by} (control only)"),
}
RECIPES = {"mini": N_("mini sample"), "open": N_("open data")}
# What came back in a stage about items, of which only what there is is said, in this order.
STAGE_PARTS = {
    "judged": N_("{judged} annotated"),
    "judged_of": N_("{judged} of {of} annotated (the others are scored with the values in their records)"),
    "judged_by": N_("{judged} annotated by {by}"),
    "judged_of_by": N_("{judged} of {of} annotated by {by} (the others are scored with the values in their records)"),
    "read": N_("{read} parsed"),
    "always_blank": N_("{blank} left blank"),
    "unreadable": N_("{unreadable} unreadable ({unreadable_first})"),
    "empty": N_("{empty} empty ({empty_first})"),
    "unanswered": N_("{unanswered} empty or failed ({unanswered_first})"),
    "blank": N_("{blank} left blank"),
    "missing": N_("{missing} missing"),
    "lacking": N_("{lacking} missing"),
    "replaced": N_("{replaced} replaced by a later file"),
    "not_drawn": N_("{not_drawn} not sampled and not scored (set the sample with --stage-sample {stage}=N:SEED)"),
    "left_out_own": N_("{left_out} excluded because the prediction is missing or the cluster was dropped"),
    "left_out": N_("{left_out} excluded because the stage does not apply to the answer extracted with rule {rule}"),
}
# The same in a stage about single predictions.
REPLIES = {
    "fallback": N_(
        "{expected} expected, {read} parsed ({answered} with an answer), {unreadable} unreadable, {missing} missing"
    ),
    "audit": N_("{audited} audited, {unparsed} without a value"),
}
# Of a stage about records, which have no runs; and the lists of ids, of which there may be more.
OF_RECORDS = {"judged_of", "judged_of_by"}
KEYS, MORE = ("unreadable_first", "empty_first", "unanswered_first"), "…"
# Of what a stage asked about, the parts that have no value.
WITHOUT_VALUE = {"unreadable", "empty", "unanswered", "blank", "missing", "lacking"}
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
        params = {name: _shown(value) for name, value in self.params.items()}
        if self.code == "config_caution":
            return pgettext(None, params["text"])
        if self.code == "stage_labels":
            for name in KEYS if OF_RECORDS.isdisjoint(self.parts) else ():
                params[name] = joined(one if one == MORE else key_text(split_id(one)) for one in self.params[name])
            said = {part: _(STAGE_PARTS[part], **params) for part in self.parts}
            apart = [said.pop(part) for part in SET_APART if part in said]
            labels = joined([joined(said.values()), *apart], "; ")
            return _("Stage {stage}: {labels}.", stage=params["stage"], labels=labels)
        if self.code in REPLIES:
            parts = [_(REPLIES[self.code], **params)]
            if self.params["by"]:
                parts.append(
                    _("by {by}", by=joined(_("unnamed") if one == "unnamed" else one for one in self.params["by"]))
                )
            if self.params["replaced"]:
                parts.append(_(STAGE_PARTS["replaced"], **params))
            return _("Stage {stage}: {labels}.", stage=params["stage"], labels=joined(parts, "; "))
        return _filled(TEMPLATES[self.code], params)

    @property
    def summary(self) -> str:
        """The sentence in one line, shorter where it is long."""
        if self.code not in SUMMARIES:
            return self.message
        made = self.params.get("made", "")
        data = _(RECIPES[made]) if made in RECIPES else _("data of recipe {recipe}", recipe=made)
        params = {name: _shown(value) for name, value in self.params.items()}
        without = sum(params.get(name, 0) for name in WITHOUT_VALUE.intersection(self.parts))
        return _filled(SUMMARIES[self.code], {**params, "data": data, "without": without})


def _filled(template: str | tuple[str, str], params: Mapping[str, Any]) -> str:
    return _(template, **params) if isinstance(template, str) else _n(*template, params["count"], **params)


def _shown(value: Any) -> Any:  # noqa: ANN401 - whatever a parameter is
    """Join the texts of a list, and round a percentage."""
    if isinstance(value, float):
        return percent(value, "percent")
    return joined(value) if isinstance(value, list) else value


def warn(code: str, **params: Any) -> ReportWarning:  # noqa: ANN401 - what a template takes
    """Make a warning, which limits the use of a number."""
    return ReportWarning(code, "warning", params)


def note(code: str, **params: Any) -> ReportWarning:  # noqa: ANN401 - what a template takes
    """Make another remark."""
    return ReportWarning(code, "note", params)
