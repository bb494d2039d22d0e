"""One request, sent as often as is sensible, until it has an answer."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.suites.asking.connecting import send
from medzh_score.suites.asking.faults import Course, FaultError
from medzh_score.suites.asking.keeping import Arrived
from medzh_score.suites.asking.responses import answer_in

if TYPE_CHECKING:
    from openai import AsyncOpenAI

    from medzh_score.suites.asking.calls import Call
    from medzh_score.suites.asking.endpoint import Endpoint
    from medzh_score.suites.asking.patience import Gate, Patience


async def answered(client: AsyncOpenAI, endpoint: Endpoint, call: Call, patience: Patience, gate: Gate) -> Arrived:
    """Send a request until it has an answer; its last fault is raised where it gets none."""
    for attempt in range(1, patience.attempts):
        await gate.passed()
        try:
            return await _answer(client, endpoint, call, gate)
        except FaultError as fault:
            if fault.course is not Course.PASSES:
                raise
            await _wait(fault, patience, gate, patience.pause_after(attempt, call.key))
    await gate.passed()
    return await _answer(client, endpoint, call, gate)


async def _wait(fault: FaultError, patience: Patience, gate: Gate, pause: float) -> None:
    if fault.wait is not None:
        if fault.wait > patience.longest_wait:
            problem = f"{fault.problem}; the server asks to be left alone for {fault.wait:,.0f} seconds"
            raise replace(fault, problem=problem, course=Course.STOPS)
        gate.close(fault.wait)
    await asyncio.sleep(pause)


async def _answer(client: AsyncOpenAI, endpoint: Endpoint, call: Call, gate: Gate) -> Arrived:
    try:
        async with asyncio.timeout(endpoint.timeout):
            content = await send(client, call)
    except TimeoutError:
        raise FaultError(f"no whole answer within {endpoint.timeout:g} seconds") from None
    except FaultError as fault:
        if fault.course is not Course.UNREACHED:
            gate.reached = True
            raise
        raise replace(fault, course=Course.PASSES if gate.reached else Course.STOPS) from None
    gate.reached = True
    found = answer_in(content)
    return Arrived(
        id=call.key.id,
        prediction=found.text,
        run=call.key.run,
        variant=call.key.variant,
        model=found.model or endpoint.model,
        finish_reason=found.finish_reason,
        request=call.digest,
    )


def failed(call: Call, words: str) -> Arrived:
    """Make the line of a request that failed for good."""
    key = call.key
    return Arrived(id=key.id, prediction="", run=key.run, variant=key.variant, error=words, request=call.digest)
