"""What an activity class is made of, and which queue its methods run on."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from jobsteward.library import Library
from jobsteward.net import Outbound
from jobsteward_worker.blocking import BlockingPool

Pace = Literal["quick", "long"]


@dataclass(frozen=True, slots=True)
class Workbench:
    """What activities of one process work with."""

    library: Library
    outbound: Outbound
    blocking: BlockingPool


class Activities(ABC):
    """Steps of one capability. ``pace`` decides where they run (LANE-1, LANE-2).

    Quick steps run beside the workflow, long ones in a worker process. Every method takes
    the `RunKey` first, so that the runtime guard can read it (ACT-4).
    """

    pace: ClassVar[Pace] = "quick"

    def __init__(self, bench: Workbench) -> None:
        self.library = bench.library
        self.outbound = bench.outbound
        self.blocking = bench.blocking

    @abstractmethod
    def steps(self) -> Sequence[Callable[..., Any]]:
        """The activity methods to register."""
