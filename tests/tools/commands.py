"""Commands called one by one, and packages that declare a config, as a private one does."""

from __future__ import annotations

from medzh_score.messages.parser import Parser


def called(command, *words):
    """Call a command of ``medzh_score.commands`` with words behind its name."""
    parser = Parser(module=command.__name__)
    arguments = parser.parse_args([*map(str, words)])
    status: int = arguments.run(arguments)
    return status


def installed(folder, name, code):
    """Install a package that is one module and declares the config of its name."""
    distribution = folder / f"{name}-1.dist-info"
    distribution.mkdir()
    (distribution / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (distribution / "entry_points.txt").write_text(f"[medzh_score.configs]\n{name} = {name}:CONFIG\n")
    (folder / f"{name}.py").write_text(code)
    return folder
