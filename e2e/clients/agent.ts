import type { Page } from '@playwright/test'
import * as oidc from 'openid-client'
import { startCallback } from './callback'
import { decide } from './consent'

/** Options for openid-client that allow HTTP, because the test server has no TLS. */
const overHttp = { execute: [oidc.allowInsecureRequests] }

/** The access token of an agent that a user authorized, and a function that calls a tool with the token. */
export type Agent = {
  token: string
  /** Calls a tool. @returns the body of the response as text */
  callTool: (name: string, input?: object) => Promise<string>
}

/**
 * Registers an agent, authorizes it for a workspace as the signed-in user, and gets an access token for /mcp.
 */
export async function letAgentIn(
  page: Page,
  baseURL: string | undefined,
  { name, scope, workspace }: { name: string; scope: string; workspace: string },
): Promise<Agent> {
  const callback = await startCallback()
  const config = await oidc.dynamicClientRegistration(
    new URL('/oauth', baseURL),
    { client_name: name, redirect_uris: [callback.uri], token_endpoint_auth_method: 'none' },
    oidc.None(),
    overHttp,
  )
  const verifier = oidc.randomPKCECodeVerifier()
  const target = oidc.buildAuthorizationUrl(config, {
    redirect_uri: callback.uri,
    scope,
    resource: `${baseURL}/mcp`,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  await page.goto(target.href)
  await decide(page, { workspaces: [workspace] })
  const tokens = await oidc.authorizationCodeGrant(config, await callback.answer, {
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  await callback.close()
  return {
    token: tokens.access_token,
    callTool: (tool, input = {}) => call(`${baseURL}/mcp`, tokens.access_token, tool, input),
  }
}

async function call(address: string, token: string, name: string, input: object): Promise<string> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  return answer.text()
}

/** Returns the URL of the approval page in a tool's response. */
export const askPageIn = (answer: string): string =>
  String(/https?:\/\/[^"\s\\]+\/approvals\/[0-9a-f-]{36}/.exec(answer)?.[0])

/** Returns the first ID in a tool's response, or undefined if there is none. */
export const idIn = (answer: string): string | undefined => /"id\\?":\\?"([0-9a-f-]{36})/.exec(answer)?.[1]
