import { vi } from 'vitest'
import { hashCredential, mintCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { oauthEngine } from '@/lib/edges/oauth/engine/provider'
import { makeClient } from './factories'
import { signInToApp } from './oauth-flow'
import { native, startOAuthWorld } from './oauth-world'
import { type RawRequest, sendRaw } from './raw-request'

export type Stored = { token: string; authorizationId: string; payload: object }

/** Functions that create a request when a test needs it. The keys describe the requests. */
export type Cases = Record<string, () => RawRequest | Promise<RawRequest>>

export const everyScope = 'openid offline_access email profile workspace:viewer'

export const stored = (credential: string) => new Uint8Array(hashCredential(credential))

export const me = (token: string, headers: object = {}): RawRequest => ({
  path: '/oauth/me',
  headers: { authorization: `Bearer ${token}`, ...headers },
})

/**
 * Returns the request with an additional query parameter that has no meaning. Because the request has a
 * query, the product passes it to oidc-provider instead of lib/edges/oauth/http/reads.ts.
 */
const forEngine = (request: RawRequest): RawRequest => ({
  ...request,
  path: `${request.path}${request.path.includes('?') ? '&' : '?'}for=engine`,
})

/**
 * Starts the product and creates two apps, each with a token. Tests use the tokens to compare the responses
 * from lib/edges/oauth/http/reads.ts with those from oidc-provider.
 */
export async function startComparedReads() {
  const { server: product, owner, web, cli } = await startOAuthWorld()
  const ofWeb = await realToken()
  const ofCli = await sameFor(cli.clientId)
  // Make oidc-provider cache both clients.
  for (const each of [ofWeb, ofCli]) await sendRaw(product.url, forEngine(me(each.token)))

  /** Returns the web app's access token from a complete OAuth flow. */
  async function realToken(): Promise<Stored> {
    const asked = { scope: everyScope, prompt: 'consent' }
    const { body } = await signInToApp(owner.browser, web, asked, { workspaces: [owner.workspace.id] })
    const token = String(body.access_token)
    const row = await prisma().oAuthArtifact.findUniqueOrThrow({ where: { hash: stored(token) } })
    return { token, authorizationId: String(row.authorizationId), payload: row.payload as object }
  }

  /**
   * Authorizes another client for the owner. Returns a token with the web app's payload, except for the
   * client ID.
   */
  async function sameFor(clientId: string): Promise<Stored> {
    const scopes = everyScope.split(' ')
    const { id } = await prisma().authorization.create({
      data: { userId: owner.user.id, clientId, scopes },
    })
    const like = { ...ofWeb, authorizationId: id, payload: { ...ofWeb.payload, clientId } }
    return { ...like, token: await tokenLike(like, {}) }
  }

  /**
   * Authorizes the web app for another user, and returns a token for it.
   * @param change changes to the token's payload
   * @param scopes the scopes of the authorization
   */
  async function tokenOf(user: { id: string }, change: object = {}, scopes = everyScope.split(' ')) {
    const { id } = await prisma().authorization.create({
      data: { userId: user.id, clientId: web.clientId, scopes },
    })
    return tokenLike({ ...ofWeb, authorizationId: id }, { accountId: user.id, ...change })
  }

  /**
   * Creates a client from another source, and returns a token for it. Sends a request, so that oidc-provider
   * caches the client.
   */
  async function tokenOfOther(source: 'DYNAMIC' | 'METADATA_DOCUMENT', id: string, metadata: object = {}) {
    await makeClient(undefined, { source, ...{ id }, ...native, metadata })
    const { token } = await sameFor(id)
    await sendRaw(product.url, forEngine(me(token)))
    return token
  }

  /**
   * Sends a request twice: first with the query parameter that `forEngine` adds, and then unchanged.
   * @returns both responses without the time and the request ID, and whether the unchanged request bypassed
   * oidc-provider
   */
  async function compare(request: RawRequest) {
    const expected = await sendRaw(product.url, forEngine(request))
    const { answer: actual, withoutEngine } = await watchEngine(() => sendRaw(product.url, request))
    // Remove the time and the request ID, because they can differ between any two responses.
    for (const { headers } of [expected, actual]) {
      delete headers.date
      delete headers['x-request-id']
    }
    return { expected, actual, withoutEngine }
  }

  return { product, owner, web, cli, ofWeb, ofCli, tokenOf, tokenOfOther, compare }
}

/**
 * Calls a function that sends a request to the product.
 * @returns the response, and whether the request bypassed oidc-provider
 */
async function watchEngine<T>(ask: () => Promise<T>): Promise<{ answer: T; withoutEngine: boolean }> {
  const entered = vi.spyOn(await oauthEngine(), 'callback')
  const answer = await ask()
  const withoutEngine = entered.mock.calls.length === 0
  entered.mockRestore()
  return { answer, withoutEngine }
}

/**
 * Stores another access token for a token's authorization. The new token expires at the time in `change.exp`,
 * if present, or one hour after the call.
 * @param change changes to the payload
 * @param row values for the columns of the new row, which replace the default values
 * @returns the new token
 */
export async function tokenLike(
  { authorizationId, payload }: Stored,
  change: object,
  row: object = {},
): Promise<string> {
  const token = mintCredential('accessToken')
  const { exp } = change as { exp?: unknown }
  const expiresAt = new Date(typeof exp === 'number' ? exp * 1000 : Date.now() + 3_600_000)
  const data = { model: 'AccessToken', authorizationId, payload: { ...payload, ...change }, expiresAt }
  await prisma().oAuthArtifact.create({ data: { hash: stored(token), ...data, ...row } })
  return token
}

/** Deletes a token's authorization from the database, which revokes the authorization. */
export async function revoke(token: string): Promise<void> {
  const { authorizationId } = await prisma().oAuthArtifact.findUniqueOrThrow({
    where: { hash: stored(token) },
  })
  await prisma().authorization.delete({ where: { id: String(authorizationId) } })
}

export const secondsAgo = (seconds: number): number => Math.floor(Date.now() / 1000) - seconds

export const formType = { 'content-type': 'application/x-www-form-urlencoded' }
