import { randomUUID } from 'node:crypto'
import { prisma } from '@/lib/base/db/prisma'
import { readFromReplicas } from '@/lib/base/db/replicas/read-scope'
import { revokeApiToken } from '@/lib/features/api-tokens/revoke-api-token'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { revokeSecret } from '@/lib/features/apps/secrets'
import { sessionFromCookies } from '@/lib/features/identity/sessions/browser-session'
import { revokeSession } from '@/lib/features/identity/sessions/end-session'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { setAppDisabled } from '@/lib/features/operator/manage-apps'
import { suspendPerson } from '@/lib/features/operator/manage-people'
import { changeMemberRole } from '@/lib/features/workspaces/change-member'
import { removeMember } from '@/lib/features/workspaces/remove-member'
import type { SessionActor } from '@/lib/policy/actor'
import { makeAccessToken } from './access-token'
import { makeApiToken, makeClient, makePerson, makeWorkspace } from './factories'
import { signInToApp } from './oauth-flow'
import { native, signedInBrowser } from './oauth-world'

/** Something that gives access: how it is asked for, how it is taken away, and what is answered afterwards. */
type Losable = { what: string; ask: () => Promise<unknown>; take: () => Promise<unknown>; after: unknown }

/** One of each kind, for as many ways to ask as read from replicas. */
export async function whatCanBeLost(base: string): Promise<Losable[]> {
  const operator = await sessionOf({ instanceAdmin: true })
  const [owner, suspended, member, demoted] = await Promise.all([1, 2, 3, 4].map(() => makePerson()))
  if (!owner || !suspended || !member || !demoted) throw new Error('there are four')
  const workspace = await makeWorkspace([
    [owner, 'ADMIN'],
    [member, 'MEMBER'],
    [demoted, 'ADMIN'],
  ])
  const asOwner = { ...operator, userId: owner.id, instanceAdmin: false }
  const readMe = (token: string) => () => askApi(base, token, '{ me { id } }')
  const readRole = (token: string) => () => {
    const query = 'query ($w: ID!) { workspace(workspaceId: $w) { role } }'
    return askApi(base, token, query, { w: workspace.id })
  }
  const browser = await signedInBrowser(owner.id)
  /** An app with a token that came out of the whole flow. */
  const appWithToken = async (fields: Parameters<typeof makeClient>[1] & object) => {
    const { client, secret } = await makeClient(workspace, fields)
    const app = { clientId: client.id, secret, redirectUri: String(client.redirectUris[0]) }
    const { body } = await signInToApp(browser, app, { prompt: 'consent' })
    const { id } = await prisma().authorization.findFirstOrThrow({ where: { clientId: client.id } })
    return { app, authorizationId: id, token: String(body.access_token) }
  }
  const [cli, web, other] = [await appWithToken(native), await appWithToken({}), await appWithToken({})]
  const api = await makeApiToken(owner)
  const asked = await makeAccessToken(owner, ['openid'])
  const disabled = await makeAccessToken(owner, ['openid'])
  const [ofSuspended, ofMember, ofDemoted] = [
    await makeApiToken(suspended),
    await makeApiToken(member),
    await makeApiToken(demoted),
  ]
  const sid = await startSession({}, owner.id, ['pwd'])
  const secret = await prisma().oAuthClientSecret.findFirstOrThrow({ where: { clientId: web.app.clientId } })
  const dead = 'UNAUTHENTICATED'
  return [
    {
      what: 'an API token',
      ask: readMe(api.token),
      take: () => revokeApiToken(asOwner, api.row.id),
      after: dead,
    },
    {
      what: 'an authorization, at /oauth/me',
      ask: () => askUserinfo(base, cli.token),
      take: () => revokeAuthorization(asOwner, cli.authorizationId),
      after: 401,
    },
    {
      what: 'an authorization, by introspection',
      ask: () => introspect(base, other.token, other.app),
      take: () => revokeAuthorization(asOwner, other.authorizationId),
      after: false,
    },
    {
      what: 'an authorization, at the API',
      ask: readMe(asked.token),
      take: () => revokeAuthorization(asOwner, asked.authorization.id),
      after: dead,
    },
    {
      what: 'an app',
      ask: readMe(disabled.token),
      take: () => setAppDisabled(operator, disabled.client.id, true),
      after: dead,
    },
    {
      what: 'a secret of an app',
      ask: () => introspect(base, web.token, web.app),
      take: () => revokeSecret(asOwner, web.app.clientId, secret.id),
      after: 400,
    },
    {
      what: 'a person',
      ask: readMe(ofSuspended.token),
      take: () => suspendPerson(operator, suspended.id),
      after: dead,
    },
    {
      what: 'a session',
      ask: () => isSignedIn(owner.id, sid),
      take: () => revokeSession(asOwner, sid),
      after: false,
    },
    {
      what: 'a membership',
      ask: readRole(ofMember.token),
      take: () => removeMember(asOwner, workspace.id, member.id),
      after: 'NOT_FOUND',
    },
    {
      what: 'a role',
      ask: readRole(ofDemoted.token),
      take: () =>
        changeMemberRole(asOwner, { workspaceId: workspace.id, userId: demoted.id, role: 'VIEWER' }),
      after: { workspace: { role: 'VIEWER' } },
    },
  ]
}

async function sessionOf(fields: object): Promise<SessionActor> {
  const { id } = await makePerson(fields)
  return { kind: 'session', userId: id, sessionId: randomUUID(), instanceAdmin: true }
}

/** @returns the data, or the code of the first error */
export async function askApi(base: string, token: string, query: string, variables = {}): Promise<unknown> {
  const answer = await fetch(`${base}/graphql/v2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = await answer.json()
  return errors ? errors[0].extensions.code : data
}

/** @returns the status */
export const askUserinfo = (base: string, token: string): Promise<number> =>
  fetch(`${base}/oauth/me`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status)

/** @returns whether the token is active, or the status of a refusal */
async function introspect(
  base: string,
  token: string,
  app: { clientId: string; secret?: string | undefined },
) {
  const body = new URLSearchParams({ token, client_id: app.clientId, client_secret: String(app.secret) })
  const answer = await fetch(`${base}/oauth/token/introspection`, { method: 'POST', body })
  return answer.status === 200 ? (await answer.json()).active : answer.status
}

/** As a page of the console asks. */
async function isSignedIn(userId: string, sid: string): Promise<boolean> {
  const cookie = await sessionCookie({ sub: userId, sid })
  const { result } = await readFromReplicas(() => sessionFromCookies(cookie, {}))
  return result !== undefined
}
