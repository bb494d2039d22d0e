"""From a predictions file to a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence  # noqa: TC003 - the types of the fields are looked up
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from medzh_score.benchmark.registry import find_config
from medzh_score.data.records import DEFAULT_DATA, Records
from medzh_score.readers.files import PredictionFiles
from medzh_score.readers.records import Rows, given_rows, naming_rows
from medzh_score.results.folder import check_place, check_texts
from medzh_score.scoring.build_report import build_report, write_items
from medzh_score.scoring.compute import compute
from medzh_score.scoring.inputs import read_inputs
from medzh_score.scoring.missing import apply_missing_policy
from medzh_score.scoring.options import ScoringOptions
from medzh_score.stats.values import Bootstrap, Kind
from medzh_score.ui.errors import MedzhError, redact_errors
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable

    from medzh_score.benchmark.config import Config
    from medzh_score.results.report import Report
    from medzh_score.results.tables import Texts
    from medzh_score.scoring.options import Missing


Paths = str | Path | list[str | Path] | tuple[str | Path, ...]


class ScoreOptions(TypedDict, total=False):
    """The options of `score`, passed by keyword. An omitted option has the default of `ScoringOptions`.

    Attributes
    ----------
    rule : str
        The extraction rule of the report's ``metrics`` (default: the primary rule of the config). The values of all
        other rules are computed as well.
    missing : {"error", "wrong", "skip"}
        How to treat missing predictions: raise an error (default), score them as incorrect, or drop the cluster from
        all runs.
    bootstrap : int
        Number of bootstrap resamples (default: 1000); 0 for no bootstrap intervals.
    seed : int
        Random seed of the resamples (NumPy's PCG64, default: 0).
    interval : {"auto", "bootstrap"}
        Wilson intervals for shares and the bootstrap for other metrics (default), or the bootstrap for all metrics.
    ddof : int
        Delta degrees of freedom of the standard deviation over runs (default: 1).
    reader : str
        An input format as for ``--from``, such as ``native`` or ``lm-eval`` (default: detected).
    file_per_run : bool
        Use each file as one run.
    stages : mapping of str to path or paths
        Annotation sheets and responses of later stages, by stage name. If an annotation occurs twice, the later file
        is used.
    prompts : path or paths
        The prompts files that were sent, including those of later stages. Without them the signature contains
        ``unknown``.
    dictionary : path
        Disease names for answer extraction, in place of the dictionary of the config.
    items : path
        A file to write with one JSON line per item and run.
    save : path
        A result folder to write, as by `Report.save`.
    overwrite : bool
        Replace a result folder that contains another result.
    include_text : {"none", "spans", "full"}
        Text of the predictions to store in the result folder: none, the matched text, or all.
    model : str
        The name of the system. If the files contain another model name, the report stores it as ``served_as``.
    annotator : str
        The name of the annotator of sheets that contain no name.
    fallback_extractor : str
        The name of the person or model that extracts answers from unparsed predictions (stage ``fallback``). It is
        required even if there are none.
    include_ambiguous : bool
        Fallback extraction includes predictions with an ambiguous answer.
    allow_partial_runs : bool
        With ``missing="skip"``, accept runs that have less than 95% of the predictions of the most complete run.
    variants : str
        The option orders that were queried, as for ``prompts --variants``: ``all``, ``cyclic`` or a number, written
        N:SEED if a seed was used. A prediction for another order is an error; a queried order without a prediction is
        missing.
    keep_reasoning : bool
        Do not remove reasoning and chat tokens before the official rules are applied. ``medzh-1`` always removes them.
    stage_sample : mapping of str to str
        The sample that a stage annotated, if it is not the default sample of the stage: ``N:SEED`` or ``all``.
    digests : bool
        Keep the SHA-256 of each prediction for a result folder (default: True). False needs 32 bytes less per
        prediction; a result that is saved all the same then has no ``prediction_sha256``.
    """

    rule: str | None
    missing: Missing
    bootstrap: int
    seed: int
    interval: Kind
    ddof: int
    reader: str | None
    file_per_run: bool
    stages: Mapping[str, Paths] | None
    prompts: Paths
    dictionary: Paths
    items: str | Path | None
    save: str | Path | None
    overwrite: bool
    include_text: Texts
    model: str | None
    annotator: str | None
    fallback_extractor: str | None
    include_ambiguous: bool
    allow_partial_runs: bool
    variants: str | None
    stage_sample: Mapping[str, str] | None
    digests: bool
    keep_reasoning: bool


@redact_errors
def score(
    config: str,
    predictions: Paths | PredictionFiles | Iterable[Any],
    data: str | Path | Records = DEFAULT_DATA,
    **options: Unpack[ScoreOptions],
) -> Report:
    """Score predictions against a built config, offline.

    Parameters
    ----------
    config : str
        The name of the config, such as ``sdak``.
    predictions : path, sequence of paths, list of dict, Dataset or DataFrame
        The predictions of one system, with unique (id, run, variant). Dicts and the rows of a ``datasets.Dataset`` or a
        ``pandas.DataFrame`` have the fields of native lines: ``id`` and ``prediction``, and optionally ``run``,
        ``variant``, ``model``, ``finish_reason`` and ``error``. Other fields are ignored. The report lists such rows as
        ``predictions`` with input format ``python`` and the SHA-256 of their canonical JSON lines (sorted keys, no
        spaces, no escapes, UTF-8, without empty fields).
    data : path or Records
        A build folder, or loaded records.
    **options : ScoreOptions
        The options of ``medzh-score score``, such as ``rule="medzh-1"``: see `ScoreOptions`.

    Returns
    -------
    Report
        Metrics, groups and tables by every rule, with coverage and signature.

    Raises
    ------
    MedzhError
        For invalid input, with file, line and field; for rows from Python with the row, from 1.

    Examples
    --------
    >>> report = score("sdak", "predictions.jsonl", "build/medzh")  # doctest: +SKIP
    >>> report.metrics["FactAcc"].value  # doctest: +SKIP
    40.19607843137255
    >>> answers = [{"id": "sdak-disease_cause-0001-f", "prediction": "正确。"}]
    >>> score("sdak", answers, "build/medzh", missing="wrong").coverage.read  # doctest: +SKIP
    1
    """
    unknown = sorted(options.keys() - ScoreOptions.__annotations__.keys())
    if unknown:
        raise TypeError(f"score() got an unexpected keyword argument {unknown[0]!r}")
    given = _given(predictions)
    with naming_rows() if isinstance(given, Rows) else nullcontext():
        return _scored(find_config(config), given, data, **options)


def _scored(  # noqa: PLR0913 - how it is saved, and all else
    config: Config,
    predictions: Sequence[Path] | PredictionFiles | Rows,
    data: str | Path | Records,
    *,
    save: str | Path | None = None,
    overwrite: bool = False,
    include_text: Texts = "none",
    **others: Any,  # noqa: ANN401 - as `_read` takes them
) -> Report:
    options = _read(**others)
    if save is None:
        if overwrite or include_text != "none":
            problem = _("this option requires a result folder")
            raise MedzhError(
                problem,
                field="--overwrite" if overwrite else "--include-text",
                advice=_("set the result folder: --save DIR"),
            )
        return score_with(config, predictions, data, options)
    files = predictions.paths if isinstance(predictions, PredictionFiles) else predictions
    inputs = [
        *(() if isinstance(files, Rows) else files),
        *options.prompts,
        *options.dictionary,
        *chain.from_iterable(options.stages.values()),
    ]
    check_place(Path(save), inputs if isinstance(data, Records) else [*inputs, Path(data)])
    check_texts(include_text)
    if config.private:
        from medzh_score.results.folder import refuse_texts

        refuse_texts(config.name, include_text, private=True)
    report = score_with(config, predictions, data, options)
    report.save(save, overwrite=overwrite, include_text=include_text)
    return report


def _read(  # noqa: PLR0913 - what is written otherwise than it is kept
    *,
    bootstrap: int = 1000,
    seed: int = 0,
    stages: Mapping[str, Paths] | None = None,
    prompts: Paths = (),
    dictionary: Paths = (),
    items: str | Path | None = None,
    stage_sample: Mapping[str, str] | None = None,
    **others: Any,  # noqa: ANN401 - as they are
) -> ScoringOptions:
    return ScoringOptions(
        bootstrap=Bootstrap(bootstrap, seed),
        stages={name: _paths(files) for name, files in (stages or {}).items()},
        prompts=_paths(prompts),
        dictionary=_paths(dictionary),
        items=None if items is None else Path(items),
        stage_sample=dict(stage_sample or {}),
        **others,
    )


def score_with(
    config: Config,
    predictions: Sequence[Path] | PredictionFiles | Rows,
    data: str | Path | Records,
    options: ScoringOptions,
) -> Report:
    """Score predictions with a config that is at hand; see `score`."""
    read = read_inputs(config, predictions, data, options)
    settled = apply_missing_policy(read, data, options)
    redacted = read
    if config.private:
        from medzh_score.scoring.withholding import redact_inputs

        redacted = redact_inputs(read, settled.kept)
    computed = compute(read, redacted, settled, options)
    if options.items is not None:
        write_items(options.items, redacted, computed.statistics)
    return build_report(redacted, settled, computed, options)


def _given(predictions: Paths | PredictionFiles | Iterable[Any]) -> list[Path] | PredictionFiles | Rows:
    if isinstance(predictions, PredictionFiles):
        return predictions
    if isinstance(predictions, str | Path):
        return [Path(predictions)]
    if isinstance(predictions, list | tuple) and all(isinstance(one, str | Path) for one in predictions):
        return [Path(one) for one in predictions]
    return given_rows(predictions)


def _paths(paths: Paths) -> list[Path]:
    return [Path(paths)] if isinstance(paths, str | Path) else [Path(path) for path in paths]
