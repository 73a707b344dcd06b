"""Were a cluster's past decisions right?  From a dump before, and its events, or a later dump, or both.

verdicts = list(audit(before, records_of_events(documents), after, configuration, Level.RANKED))

records     what is known to have been decided, and when
worlds      the states that the scheduler may have been in
judging     every decision, in all of them
"""

from oracle.audit.judging import Audited, audit
from oracle.audit.records import Record, RecordError, records_of_dumps, records_of_events

__all__ = ["Audited", "Record", "RecordError", "audit", "records_of_dumps", "records_of_events"]
