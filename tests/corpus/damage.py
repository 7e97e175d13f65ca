"""Ways in which an answer gets damaged, drawn from a given chance."""

import copy
import json
import random
from typing import Any


def flipped(payload: bytes, chance: random.Random) -> bytes:
    altered = bytearray(payload)
    for _ in range(chance.randrange(1, 6)):
        altered[chance.randrange(len(altered))] = chance.randrange(256)
    return bytes(altered)


STRANGE: list[Any] = [
    None,
    True,
    -1,
    10**30,
    1.5,
    1e308,
    "",
    "\ud800",
    "\x00",
    [],
    [[]],
    {},
    {"a": 1},
]


def swapped(payload: bytes, chance: random.Random) -> bytes:
    answer = json.loads(payload)
    for _ in range(4):
        place = answer
        while isinstance(place, dict | list) and place:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = chance.choice(keys)
            deeper = place[key]
            if not isinstance(deeper, dict | list) or not deeper or chance.random() < 0.3:
                place[key] = copy.deepcopy(chance.choice(STRANGE))
                break
            place = deeper
    return json.dumps(answer).encode()
