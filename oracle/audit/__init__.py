"""Were a cluster's past decisions right?  From a dump before, and its events, or a later dump, or both.

verdicts = list(audit(before, records_of_events(documents), after, configuration, Level.RANKED))

records     what is known to have been decided, and when
decisions   what of it belongs together, and the verdict about it
worlds      the states that the scheduler may have been in
gaps        what happened, and no record tells of it
messages    refusals, and the reasons told
judging     every decision, in all of them
findings    a wrong decision, as reports want it
"""

from oracle.audit.decisions import Audited
from oracle.audit.findings import finding_of
from oracle.audit.judging import audit
from oracle.audit.records import Record, RecordError, records_of_dumps, records_of_events

__all__ = ["Audited", "Record", "RecordError", "audit", "finding_of", "records_of_dumps", "records_of_events"]
