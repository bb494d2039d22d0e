"""The signature: how exactly a number came to be, as a mapping that is written out last."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Signature = dict[str, str]
UNSTATED = "unstated"


def written(signature: Mapping[str, str]) -> str:
    """Write a signature as one line.

    Parameters
    ----------
    signature : mapping of str to str
        Keys in their fixed order.

    Examples
    --------
    >>> written({"config": "sdak", "rule": "official"})
    'config:sdak|rule:official'
    """
    return "|".join(f"{key}:{value}" for key, value in signature.items())


def differences(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Name the keys in which two signatures differ; reports are comparable when there are none.

    Parameters
    ----------
    one, other : mapping of str to str
        Two signatures.

    Examples
    --------
    >>> differences({"rule": "official", "runs": "3"}, {"rule": "strict-1", "runs": "3"})
    ['rule']
    """
    return [key for key in {**one, **other} if one.get(key) != other.get(key)]
