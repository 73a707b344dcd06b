"""Why an attempt ends before anything is known of the pod."""

NO_NODES = "no nodes available to schedule pods"


class SchedulingError(Exception):
    """The attempt ends without a verdict on the pod; the message is kube-scheduler's."""
