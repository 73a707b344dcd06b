"""Requests that the API server fails to answer."""

from oracle.strategies.story import Story


def api_failures(story: Story) -> dict[str, list[str]]:
    """Of a trace, by request; several in a row of the same one."""
    draw = story.draw
    about = {
        "getPod": story.pods,
        "updateStatus": story.pods,
        "deleteVictim": story.pods,
        "updateVolume": story.volumes,
        "updateClaim": story.claims,
    }
    failing = {request: draw.some(keys, 5) for request, keys in about.items() if draw.chance(0.6)}
    for request in ("getPod", "updateStatus"):
        failing[request] = [*failing.get(request, ()), *story.unreadable]
    return {request: [key for key in keys for _ in range(draw.number(1, 3))] for request, keys in failing.items()}
