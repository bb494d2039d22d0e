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
    """The options of `score`, by keyword; what is left out is as in `Options`.

    Attributes
    ----------
    rule : str
        The rule that stands in the report's ``metrics``; the config's primary rule when not given. All others are
        computed beside it.
    missing : {"error", "wrong", "skip"}
        An error (the default), a wrong answer, or a reason to drop its unit from all runs.
    bootstrap : int
        Resamples of the intervals, 1,000 when not given; 0 for none of those.
    seed : int
        Of the resamples (NumPy's PCG64); 0 when not given.
    interval : {"auto", "bootstrap"}
        Wilson's for shares and the bootstrap for all other metrics (the default), or the bootstrap for all.
    ddof : int
        Of the standard deviation over runs; 1 when not given.
    reader : str
        A name that ``--from`` takes, such as ``native`` or ``lm-eval``; recognised when not given.
    file_per_run : bool
        Number the files as runs, from 0.
    rounds : mapping of str to path or paths
        Filled sheets and models' responses of later rounds, by the round's name; a later file wins.
    prompts : path or paths
        The prompts file that was sent, or all into which it was split, and those of later rounds; without it the
        signature says ``unknown``.
    dictionary : path
        Names that answers are read by, in the place of the config's own, where it has any.
    items : path
        Where to write a line per item and run.
    save : path
        A result folder to write, as `Report.save` does; ``overwrite`` and ``texts`` are as there.
    overwrite : bool
        Whether a result folder that holds something else is replaced.
    texts : {"none", "spans", "full"}
        What of the predictions' texts stands in it: nothing, where answers were read, or all.
    model : str
        What the system is called. Whom the files name stands beside it as ``served_as``, where that is another name.
    second_reader : str
        Who reads what the rule leaves unread, in the round ``second-reading``; to be named also where nothing was due.
    unclear : bool
        Whether they also read what the rule reads without being clear.
    allow_fragments : bool
        Whether ``skip`` may take a run that lacks more than a twentieth of what the fullest run has.
    variants : str
        The variants that were asked, in the words of ``prompts --variants``: ``all``, ``cyclic`` or a number, as N:SEED
        where a seed was given. A prediction in another is refused, and what did not come of these is missing.
    keep_reasoning : bool
        Whether the authors' rules read texts with their reasoning and chat tokens, which are removed otherwise;
        ``medzh-1`` reads neither.
    round_sample : mapping of str to str
        Which sample later rounds judged, where it is not their own: ``N:SEED`` as it was drawn, or ``all``.
    """

    rule: str | None
    missing: Missing
    bootstrap: int
    seed: int
    interval: Kind
    ddof: int
    reader: str | None
    file_per_run: bool
    rounds: Mapping[str, Paths] | None
    prompts: Paths
    dictionary: Paths
    items: str | Path | None
    save: str | Path | None
    overwrite: bool
    texts: Texts
    model: str | None
    second_reader: str | None
    unclear: bool
    allow_fragments: bool
    variants: str | None
    round_sample: Mapping[str, str] | None
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
        The config's name, such as ``sdak``.
    predictions : path, sequence of paths, list of dict, Dataset or DataFrame
        One set of predictions, in which no (id, run, variant) may repeat. Rows from Python, be they dicts, a
        ``datasets.Dataset`` or a ``pandas.DataFrame``, have the fields of native lines: ``id`` and ``prediction``, and
        perhaps ``run``, ``variant``, ``model``, ``finish_reason`` and ``error``; others are passed over. The report
        accounts for them as ``predictions``, read as ``python``, with the SHA-256 of their canonical JSON lines (sorted
        keys, no spaces, no escapes, UTF-8; only fields that say something).
    data : path or Records
        A build folder, or records that were loaded from one.
    **options : ScoreOptions
        The options of ``medzh-score score``, such as ``rule="medzh-1"``: see `ScoreOptions`.

    Returns
    -------
    Report
        Metrics, groups and tables by every rule, with coverage and signature.

    Raises
    ------
    MedzhError
        For bad input, named with file, line and field; of rows from Python with the row, the first of which is 1.

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
    texts: Texts = "none",
    **others: Any,  # noqa: ANN401 - as `_read` takes them
) -> Report:
    options = _read(**others)
    if save is None:
        if overwrite or texts != "none":
            problem = _("is how a result folder is written")
            raise MedzhError(problem, field="--overwrite" if overwrite else "--texts", advice=_("name one: --save DIR"))
        return score_with(config, predictions, data, options)
    files = predictions.paths if isinstance(predictions, PredictionFiles) else predictions
    inputs = [
        *(() if isinstance(files, Rows) else files),
        *options.prompts,
        *options.dictionary,
        *chain.from_iterable(options.rounds.values()),
    ]
    check_place(Path(save), inputs if isinstance(data, Records) else [*inputs, Path(data)])
    check_texts(texts)
    if config.private:
        from medzh_score.results.folder import refuse_texts

        refuse_texts(config.name, texts, private=True)
    report = score_with(config, predictions, data, options)
    report.save(save, overwrite=overwrite, texts=texts)
    return report


def _read(  # noqa: PLR0913 - what is written otherwise than it is kept
    *,
    bootstrap: int = 1000,
    seed: int = 0,
    rounds: Mapping[str, Paths] | None = None,
    prompts: Paths = (),
    dictionary: Paths = (),
    items: str | Path | None = None,
    round_sample: Mapping[str, str] | None = None,
    **others: Any,  # noqa: ANN401 - as they are
) -> ScoringOptions:
    return ScoringOptions(
        bootstrap=Bootstrap(bootstrap, seed),
        rounds={name: _paths(files) for name, files in (rounds or {}).items()},
        prompts=_paths(prompts),
        dictionary=_paths(dictionary),
        items=None if items is None else Path(items),
        round_sample=dict(round_sample or {}),
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
