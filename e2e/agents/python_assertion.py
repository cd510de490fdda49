"""Connects with the official Python SDK and an identity provider's assertion, given only a server's URL, and calls a tool."""
import asyncio
import sys

from mcp.client import Client, auth
from mcp.client.auth.extensions.identity_assertion import IdentityAssertionOAuthProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

ADDRESS, ISSUER, CLIENT_ID, CLIENT_SECRET, ASSERTION = sys.argv[1:]


class Kept(auth.TokenStorage):
    tokens = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return None

    async def set_client_info(self, client_info):
        pass


async def from_the_provider(_audience, _resource):
    return ASSERTION


async def main():
    provider = IdentityAssertionOAuthProvider(
        server_url=ADDRESS,
        storage=Kept(),
        client_id=CLIENT_ID,
        client_secret=CLIENT_SECRET,
        issuer=ISSUER,
        assertion_provider=from_the_provider,
    )
    async with create_mcp_http_client(auth=provider) as http:
        async with Client(streamable_http_client(ADDRESS, http_client=http)) as client:
            result = await client.call_tool("list_workspaces", {})
            print(result.model_dump_json(by_alias=True))


asyncio.run(main())
