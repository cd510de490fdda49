"""Connects with the official Python SDK, given a server's URL, and calls a write tool that the first token does not allow.
Prints the URLs that the user must open."""
import asyncio
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlparse

from mcp.client import Client, auth
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import OAuthClientMetadata

ADDRESS = sys.argv[1]
PROJECT = sys.argv[2]


class Kept(auth.TokenStorage):
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        if urlparse(self.path).path == "/callback":
            self.server.query = parse_qs(urlparse(self.path).query)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"The client received the response")

    def log_message(self, *_):
        pass


async def visit(address):
    print(address, flush=True)


async def come_back():
    while not server.query:
        await asyncio.sleep(0.1)
    query, server.query = server.query, {}
    return auth.AuthorizationCodeResult(**{name: values[0] for name, values in query.items()})


async def main():
    provider = auth.OAuthClientProvider(
        server_url=ADDRESS,
        client_metadata=OAuthClientMetadata(
            client_name="Python SDK",
            redirect_uris=[f"http://127.0.0.1:{server.server_port}/callback"],
            token_endpoint_auth_method="none",
        ),
        storage=Kept(),
        redirect_handler=visit,
        callback_handler=come_back,
    )
    async with create_mcp_http_client(auth=provider) as http:
        async with Client(streamable_http_client(ADDRESS, http_client=http)) as client:
            listed = await client.call_tool("list_workspaces", {})
            print(listed.model_dump_json(by_alias=True))
            [acme] = [each for each in listed.structured_content["me"]["workspaces"] if each["name"] == "Acme"]
            # The first token can only read. The SDK requests another scope from the user, then repeats the call.
            created = await client.call_tool("create_project", {"workspaceId": acme["id"], "name": PROJECT})
            print(created.model_dump_json(by_alias=True))
            again = await client.call_tool("who_am_i", {})
            print(again.model_dump_json(by_alias=True))


server = HTTPServer(("127.0.0.1", 0), Callback)
server.query = {}
Thread(target=server.serve_forever, daemon=True).start()
asyncio.run(main())
