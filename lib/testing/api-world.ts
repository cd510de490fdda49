import { config } from '@/lib/base/config/env'
import { hashCredential, lastFour, mintApiId, mintCredential } from '@/lib/base/credentials/tokens'
import { lowestId } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { type Api, type ApiScope, dropApis } from '@/lib/features/resources/apis'
import type { SessionActor } from '@/lib/policy/actor'
import { makeUser } from './factories'
import { signInToApp, type TestApp } from './oauth-flow'
import type { Owner } from './oauth-world'

let made = 0

type Fields = Partial<Omit<Api, 'scopes'>> & { scopes?: Partial<ApiScope>[] }

/** Creates an API with a credential, and returns it with functions that send requests as the API. */
export async function makeApi(fields: Fields = {}) {
  const number = ++made
  const { scopes = [{ name: `deployments${number}:write`, selects: 'PROJECTS' as const }], ...columns } =
    fields
  const secret = mintCredential('apiSecret')
  const api = await prisma().api.create({
    data: {
      id: mintApiId(),
      identifier: `https://deployments${number}.example`,
      name: `Deployments ${number}`,
      tokenFormat: 'OPAQUE',
      tokenLifetime: 300,
      signingAlgorithm: 'ES256',
      ...columns,
      scopes: {
        create: scopes.map((scope, position) => ({
          name: `scope${number}:${position}`,
          description: `Do thing ${position}`,
          sensitivity: 'LOW',
          selects: 'NOTHING',
          position,
          ...scope,
        })),
      },
      credentials: { create: { hash: new Uint8Array(hashCredential(secret)), lastFour: lastFour(secret) } },
    },
    include: { scopes: { orderBy: { position: 'asc' } } },
  })
  dropApis()
  const names = api.scopes.map(({ name }) => name)
  /** Introspects a token as the API. */
  const ask = (token: string | undefined, more: { headers?: Record<string, string>; body?: string } = {}) =>
    fetch(new URL('/oauth/token/introspection', config().BASE_URL), {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${api.id}:${secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        ...more.headers,
      },
      body: more.body ?? new URLSearchParams(token === undefined ? {} : { token }).toString(),
    })
  /** Sends a token request as the API. Omits fields that are undefined. */
  const request = (
    fields: Record<string, string | undefined> | [string, string][],
    headers: Record<string, string> = {},
  ) =>
    fetch(new URL('/oauth/token', config().BASE_URL), {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${api.id}:${secret}`).toString('base64')}`,
        ...headers,
      },
      body: new URLSearchParams(
        Array.isArray(fields)
          ? fields
          : Object.entries(fields).filter((each): each is [string, string] => each[1] !== undefined),
      ),
    }).then(async (answer) => ({
      status: answer.status,
      headers: answer.headers,
      body: (await answer.json()) as Record<string, string>,
    }))
  return {
    id: api.id,
    identifier: api.identifier,
    secret,
    /** The names of the API's scopes. */
    names,
    ask,
    request,
    /** Exchanges a token for a token that another API accepts (RFC 8693). */
    exchange: (
      token: string,
      target: { identifier: string },
      more: Record<string, string | undefined> = {},
      headers: Record<string, string> = {},
    ) => request({ ...exchangeOf(token, target), ...more }, headers),
    /** Returns the claims that the API receives when it introspects a token. */
    async see(token: string) {
      return (await (await ask(token)).json()) as Record<string, unknown>
    },
  }
}

/**
 * Creates an instance admin. @returns the actor of the instance admin's session, which used two-factor
 * authentication
 */
export async function makeApiAdmin(): Promise<SessionActor> {
  const { id } = await makeUser({ instanceAdmin: true })
  return { kind: 'session', userId: id, sessionId: lowestId, instanceAdmin: true, twoFactor: true }
}

/** Returns the parameters of a token exchange. */
export const exchangeOf = (token: string, target: { identifier: string }) => ({
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token: token,
  subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  resource: target.identifier,
})

export type TestApi = Awaited<ReturnType<typeof makeApi>>

/**
 * Returns the parameters that request an API's resource with `openid`, all of the API's scopes, and the
 * scopes in `more`.
 */
export const requestFor = (api: TestApi, more = '') => ({
  resource: api.identifier,
  scope: ['openid', ...api.names, more].filter(Boolean).join(' '),
})

/**
 * Signs the owner in to an app, which requests access to an API, and selects the owner's project.
 * @param more further scopes
 * @returns the token response
 */
export const signInForApi = (api: TestApi, owner: Owner, app: TestApp, more = 'offline_access') =>
  signInToApp(
    owner.browser,
    app,
    { ...requestFor(api, more), prompt: 'consent' },
    { projects: [owner.project.id] },
  )
