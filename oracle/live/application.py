"""HTTP around the answers: what may come in, and how answers and watches go out."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from model.api.documents import json_document
from oracle.live import requests
from oracle.live.addresses import Address, address_of
from oracle.live.answers import answer
from oracle.live.discovery import discovered
from oracle.live.refusals import Refused, bad_request
from oracle.live.watching import stream, watch_of
from oracle.live.world import World

LARGEST_BODY = 3 * 2**20
"""Bytes, as of a real API server."""

SLOWEST_BODY = 10.0
"""Seconds until a body that was announced must be here."""

HEALTHY = ("/healthz", "/livez", "/readyz")
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]


def application(world: World) -> Starlette:
    """The API server as an ASGI application."""

    async def respond(request: Request) -> Response:
        try:
            return await _response(world, request)
        except Refused as error:
            return Json(error.status, error.code)

    return Starlette(routes=[Route("/{path:path}", respond, methods=METHODS)])


class Json(Response):
    """ASCII throughout: names may hold what UTF-8 cannot say."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json.dumps(content, separators=(",", ":")).encode()


async def _response(world: World, request: Request) -> Response:
    path = request.url.path
    if path in HEALTHY:
        return PlainTextResponse("ok")
    _check_accept(request.headers.get("accept", ""))
    if request.method == "GET" and (found := discovered(path)) is not None:
        return Json(found)
    address = address_of(path)
    if address is None:
        raise Refused(404, "NotFound", "the server could not find the requested resource")
    if request.method == "GET" and request.query_params.get("watch") in ("true", "1"):
        return _watch(world, address, request.query_params)
    asked = requests.Request(
        request.method,
        address,
        request.query_params,
        body=await _body(request),
        media=_media(request),
        agent=request.headers.get("user-agent", ""),
    )
    given = answer(world, asked)
    return Json(given.document, given.code)


def _watch(world: World, address: Address, query: Mapping[str, str]) -> Response:
    if address.name:
        raise bad_request("only collections are watched; select one object with fieldSelector=metadata.name=...")
    watch = watch_of(address, query)
    world.watched.add(address.plural)
    return StreamingResponse(stream(world, watch), media_type="application/json")


def _check_accept(accept: str) -> None:
    """Clients that prefer protobuf usually take JSON too."""
    accepted = [part.partition(";")[0].strip() for part in accept.split(",")]
    if accept and not {"application/json", "*/*", "application/*"} & set(accepted):
        raise Refused(406, "NotAcceptable", "only application/json is served")


def _media(request: Request) -> str:
    return request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()


async def _body(request: Request) -> Any:
    """The JSON sent, None for nothing.  Raises Refused."""
    content = await _content(request)
    if not content:
        return None
    media = _media(request)
    if media != "application/json" and not media.endswith("+json"):
        raise Refused(
            415,
            "UnsupportedMediaType",
            f"bodies of type {media!r} are not served; start kube-scheduler with "
            "--kube-api-content-type=application/json",
        )
    try:
        return json_document(content.decode())
    except ValueError as error:
        raise bad_request(f"the body is not JSON: {error}") from None
    except RecursionError:
        raise bad_request("the body is nested too deeply") from None


async def _content(request: Request) -> bytes:
    too_large = Refused(413, "RequestEntityTooLarge", f"a body may have {LARGEST_BODY} bytes at most")
    announced = request.headers.get("content-length", "0")
    if announced.isdigit() and int(announced) > LARGEST_BODY:
        raise too_large
    content = bytearray()
    try:
        async with asyncio.timeout(SLOWEST_BODY):
            async for part in request.stream():
                content += part
                if len(content) > LARGEST_BODY:
                    raise too_large
    except TimeoutError:
        raise Refused(408, "Timeout", f"the body did not arrive within {SLOWEST_BODY:g} s") from None
    except ClientDisconnect:
        raise bad_request("the client went away while it sent the body") from None
    return bytes(content)
