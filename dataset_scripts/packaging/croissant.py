"""Croissant metadata of a build: files with their hashes and columns with their types, as other tools read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dataset_scripts.packaging.card_head import common_licence
from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipe import dataset
from medzh_score.benchmark.registry import data_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CROISSANT = "croissant.json"
SPECIFICATION = "http://mlcommons.org/croissant/1.0"
PARQUET = "application/x-parquet"
TYPES = {"string": "sc:Text", "int64": "sc:Integer", "float64": "sc:Float", "bool": "sc:Boolean"}
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
NAME = "medzh"
DESCRIPTION = (
    "Chinese medical benchmarks for language models, one config each. Only a config whose recipe is official, made of "
    "a file that its hash proves to be the authors', is the benchmark itself."
)


def croissant(configs: Mapping[str, Mapping[str, Any]], digests: Mapping[str, str]) -> dict[str, Any]:
    """Describe a build in Croissant 1.0."""
    versions = sorted({entry["version"] for entry in configs.values()}, key=lambda one: [*map(int, one.split("."))])
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": SPECIFICATION,
        "name": NAME,
        "description": DESCRIPTION,
        "version": versions[-1],
        "license": common_licence(configs) or "LICENSE",
        "inLanguage": "zh",
        "distribution": [*_documents(digests), *(file for name in configs for file in _files(name, configs[name]))],
        "recordSet": [one for name, entry in configs.items() for one in _record_sets(name, entry)],
    }


def _documents(digests: Mapping[str, str]) -> Iterator[dict[str, str]]:
    for path, digest in sorted(digests.items()):
        kind = "text/markdown" if path.endswith(".md") else "text/plain"
        yield _file(path, kind, digest)


def _files(name: str, entry: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    known = data_name(name, entry["recipe"])
    for split, account in entry["splits"].items():
        for file in account["files"]:
            yield _file(file["path"], PARQUET, file["sha256"], f"{known}, split {split}, {file['records']:,} records")


def _file(path: str, kind: str, digest: str, description: str = "") -> dict[str, str]:
    about = {"@type": "cr:FileObject", "@id": path, "name": path, "contentUrl": path, "encodingFormat": kind}
    return about | ({"description": description} if description else {}) | {"sha256": digest}


def _record_sets(name: str, entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    meanings = read_schema(dataset(name).schema)["properties"]
    for split, account in entry["splits"].items():
        (file,) = account["files"]
        identifier = f"{data_name(name, entry['recipe'])}/{split}"
        yield {
            "@type": "cr:RecordSet",
            "@id": identifier,
            "name": identifier,
            "description": f"{account['records']:,} records by the recipe {entry['recipe']}: {entry['summary']}",
            "key": {"@id": f"{identifier}/id"},
            "field": [_field(identifier, column, file["path"], meanings) for column in entry["features"]],
        }


def _field(identifier: str, column: Mapping[str, str], path: str, meanings: Mapping[str, Any]) -> dict[str, Any]:
    name, kind = column["name"], column["type"]
    inner = kind.removeprefix("list<").removesuffix(">")
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{identifier}/{name}",
        "name": f"{identifier}/{name}",
        "description": meanings.get(name, {}).get("description", name),
        "dataType": TYPES[inner],
        "source": {"fileObject": {"@id": path}, "extract": {"column": name}},
    }
    return field | ({"repeated": True} if inner != kind else {})
