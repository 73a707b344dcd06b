"""NoDiskConflict: inline disks that two pods of one node cannot share.  [P-055]"""

from collections.abc import Iterable

import numpy as np

from impl.lanes import Lane, Rows
from impl.outcomes import DISK_CONFLICT, FITS
from impl.pod_kind import PodKind
from impl.predicates.check import Check, Question
from impl.trial import Trial
from model.api.objects import Volume


def _clash(first: Volume, second: Volume) -> bool:
    gce = first.gce_persistent_disk, second.gce_persistent_disk
    if gce[0] and gce[1] and gce[0].pd_name == gce[1].pd_name and not (gce[0].read_only and gce[1].read_only):
        return True
    ebs = first.aws_elastic_block_store, second.aws_elastic_block_store
    if ebs[0] and ebs[1] and ebs[0].volume_id == ebs[1].volume_id:
        return True
    iscsi = first.iscsi, second.iscsi
    if iscsi[0] and iscsi[1] and iscsi[0].iqn == iscsi[1].iqn and not (iscsi[0].read_only and iscsi[1].read_only):
        return True
    rbd = first.rbd, second.rbd
    return bool(
        rbd[0]
        and rbd[1]
        and not set(rbd[0].monitors).isdisjoint(rbd[1].monitors)
        and (rbd[0].pool, rbd[0].image) == (rbd[1].pool, rbd[1].image)
        and not (rbd[0].read_only and rbd[1].read_only)
    )


class NoDiskConflict(Check):
    def codes(self, rows: Rows) -> Lane:
        if isinstance(rows, int):
            return self._code(self.table.kinds_of_row[rows])
        chosen: slice = rows
        return np.array([self._code(placed) for placed in self.table.kinds_of_row[chosen]], np.int32)

    def at(self, trial: Trial) -> int:
        return self._code(trial.kinds)

    def _code(self, placed: Iterable[PodKind]) -> int:
        clashes = any(
            _clash(wanted, used) for kind in placed for used in kind.disks for wanted in self.question.kind.disks
        )
        return self.outcomes.code(DISK_CONFLICT) if clashes else FITS


def no_disk_conflict(question: Question) -> Check | None:
    return NoDiskConflict(question) if question.kind.disks else None
