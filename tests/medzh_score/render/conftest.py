"""What tests of figures share: an installed package that declares a config of its own, and reports in files."""

from __future__ import annotations

import json
import sys

import pytest
from commands import installed
from whole_reports import whole

from medzh_score.benchmark.registry import find_config


@pytest.fixture(scope="module")
def packages(request, tmp_path_factory):
    """Give a folder with the package that a module of tests writes out: its config, by its name."""
    return installed(tmp_path_factory.mktemp("packages"), request.module.NAME, request.module.CONFIG)


@pytest.fixture
def own_config(request, packages, monkeypatch):
    monkeypatch.syspath_prepend(packages)
    yield find_config(request.module.NAME)
    sys.modules.pop(request.module.NAME, None)


@pytest.fixture
def write(tmp_path):
    def put(name, content):
        path = tmp_path / name
        path.write_text(json.dumps(whole(content), ensure_ascii=False), encoding="utf-8")
        return path

    return put
