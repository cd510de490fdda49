import { hashCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { hasKey } from '@/lib/features/apps/app-metadata'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { type OAuthApp, requireApp } from '@/lib/features/apps/require-app'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { SessionActor } from '@/lib/policy/actor'
import { confirmPathOf, findByUserCode } from '../interaction/device-request'
import { type Exchange, openPending, sealPending } from '../interaction/test-sign-in'
import { deviceGrant, routes } from '../protocol/routes'
import { exchange, withSecret } from './exchange'

/**
 * The result of a test sign-in, with its requests and responses so far. Omits token requests that were sent
 * before the user decided.
 */
export type Tried = {
  state: 'asked' | 'done' | 'failed'
  steps: Exchange[]
  /** The decoded ID token. Undefined unless the state is `done` and the app requested an ID token. */
  idToken?: { header: string; claims: string }
  /**
   * Whether the user had already authorized the app before the test. If so, the authorization is kept,
   * including the access that the test added. Undefined unless the state is `done`.
   */
  kept?: boolean
}

/**
 * The maximum length of the scope parameter, which is enough for all scopes. The cookie contains the request
 * that the page shows, and browsers drop a cookie of more than 4 KB. A longer parameter could make the cookie
 * too large.
 */
const longestScope = 400

/**
 * Starts a test sign-in with the device flow (RFC 8628), and records an audit event. Requires the permission
 * to manage the app's secrets. See ADR 0022.
 * @param scope the scope parameter, as the app would send it
 * @param page the path that shows the result
 * @returns the encrypted state for the cookie, and the path to continue at, which is the consent page, or
 *   `page` if the request was rejected
 * @throws AppError BAD_USER_INPUT for a scope parameter that is too long, and the errors of `requireTestable`
 */
export async function startTestSignIn(
  actor: SessionActor,
  clientId: string,
  scope: string,
  page: string,
): Promise<{ sealed: string; to: string }> {
  const app = await requireTestable(actor, clientId)
  if (scope.length > longestScope) {
    throw new AppError(
      'BAD_USER_INPUT',
      `The scopes of a test sign-in can have up to ${longestScope} characters in total. Request fewer scopes.`,
    )
  }
  const had = await prisma().authorization.count({ where: { clientId: app.id, userId: actor.userId } })
  const { shown, status, body } = await exchange(
    'Request a device code',
    routes.device_authorization,
    actor,
    { fields: { client_id: app.id, scope } },
  )
  await recordEvent(prisma(), actor, {
    action: 'oauth_app.sign_in_tried',
    resource: { type: 'oauth_app', id: app.id },
    workspaceId: app.workspaceId,
    details: { name: app.name },
  })
  const pending = { userId: actor.userId, clientId: app.id, page, had: had > 0, steps: [shown] }
  const device = status === 200 ? await findByUserCode(String(body.user_code)) : undefined
  if (!device) return { sealed: sealPending(pending), to: page }
  return {
    sealed: sealPending({ ...pending, codes: { user: device.userCode, device: String(body.device_code) } }),
    // Continue directly to the decision page. The user started the test sign-in in the same browser, so they
    // do not have to enter or compare the code.
    to: confirmPathOf(device),
  }
}

/**
 * Returns the current result of a test sign-in. After the user has allowed access, fetches the tokens, reads
 * the claims, and then revokes the tokens. If the user had not authorized the app before the test, also
 * revokes the user's authorization of the app. Complete tokens never leave this process.
 * @param sealed the value from `startTestSignIn`; only the same user can continue
 * @throws AppError CONFLICT if `sealed` is invalid or belongs to another user, or if another user allowed
 *   access; the errors of `requireTestable`
 */
export async function continueTestSignIn(actor: SessionActor, sealed: string): Promise<Tried> {
  const pending = openPending(sealed, actor.userId)
  if (!pending) throw new AppError('CONFLICT', 'This test sign-in has expired. Start a new one.')
  const app = await requireTestable(actor, pending.clientId)
  const { codes } = pending
  if (!codes) return { state: 'failed', steps: pending.steps }
  await requireOwnAnswer(actor, codes.device)
  const fetched = await withSecret(actor, app, (credentials) => fetchTokens(actor, codes.device, credentials))
  if (fetched.error === 'authorization_pending' || fetched.error === 'slow_down') {
    return { state: 'asked', steps: pending.steps }
  }
  const steps = [...pending.steps, ...fetched.steps]
  if (!pending.had && fetched.error !== 'access_denied') await revokeTestAuthorization(actor, app)
  if (fetched.error) return { state: 'failed', steps }
  return { state: 'done', steps, kept: pending.had, ...(fetched.idToken && { idToken: fetched.idToken }) }
}

/**
 * Requires that no other user has allowed access with the device code. If another user has, deletes the code
 * and throws an error. Another user can allow access, because the user code can be shared. The tokens that
 * result from such a decision must not be shown to this user. If another user allows access after this check,
 * `fetchTokens` detects the other user.
 * @throws AppError CONFLICT
 */
async function requireOwnAnswer(actor: SessionActor, deviceCode: string): Promise<void> {
  const { hash, accountId } = await accountOf(deviceCode)
  if (accountId === undefined || accountId === actor.userId) return
  await prisma().oAuthArtifact.deleteMany({ where: { hash } })
  throw answeredByAnotherUser()
}

/**
 * Returns the hash and the user of a device code or token. The user is undefined if no user has allowed
 * access with the code, or if the code or token does not exist.
 */
async function accountOf(credential: string) {
  const hash = Uint8Array.from(hashCredential(credential))
  const row = await prisma().oAuthArtifact.findUnique({ where: { hash }, select: { payload: true } })
  return { hash, accountId: ((row?.payload ?? {}) as { accountId?: string }).accountId }
}

const answeredByAnotherUser = () =>
  new AppError(
    'CONFLICT',
    'This test sign-in was completed with another account. Start a new one, and use the account that you are signed in with here.',
  )

type Fetched = { steps: Exchange[]; error?: string; idToken?: { header: string; claims: string } }

async function fetchTokens(
  actor: SessionActor,
  deviceCode: string,
  credentials: Record<string, string>,
): Promise<Fetched> {
  const fields = { grant_type: deviceGrant, device_code: deviceCode, ...credentials }
  const tokens = await exchange('Exchange the code for tokens', routes.token, actor, { fields })
  const { access_token: access, refresh_token: renewal, id_token: idToken, error } = tokens.body
  const steps = [tokens.shown]
  if (typeof access !== 'string') return { steps, error: String(error ?? 'invalid_request') }
  try {
    if ((await accountOf(access)).accountId !== actor.userId) throw answeredByAnotherUser()
    const claims = await exchange('Read the user’s claims', routes.userinfo, actor, { bearer: access })
    steps.push(claims.shown)
  } finally {
    // Revoke the tokens, even if the claims could not be read. Revoking a refresh token also ends its sign-in
    // (RFC 7009 section 2.1).
    for (const token of [renewal, access].filter((one) => typeof one === 'string')) {
      const ended = await exchange('Revoke the token', routes.revocation, actor, {
        fields: { token, ...credentials },
      })
      steps.push(ended.shown)
    }
  }
  return { steps, ...(typeof idToken === 'string' && { idToken: decoded(idToken) }) }
}

/**
 * Returns the header and the claims of an ID token (RFC 7519) as indented JSON. Does not verify the token,
 * because this process issued it.
 */
function decoded(token: string): { header: string; claims: string } {
  const [header = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  const lines = (json: string) => JSON.stringify(JSON.parse(json), null, 2)
  return { header: lines(header), claims: lines(claims) }
}

/**
 * Revokes the user's authorization of the app, if there is one. There is none if the device code expired
 * before the user decided.
 */
async function revokeTestAuthorization(actor: SessionActor, app: OAuthApp): Promise<void> {
  const key = { userId: actor.userId, clientId: app.id }
  const made = await prisma().authorization.findUnique({ where: { userId_clientId: key } })
  if (made) await revokeAuthorization(actor, made.id)
}

/** Returns the reason why the app's sign-in cannot be tested; undefined if it can. */
export function whyUntestable(app: Pick<OAuthClient, 'disabledAt' | 'metadata'>): string | undefined {
  if (app.disabledAt) return 'An instance admin has disabled this app, so you can’t test its sign-in here.'
  if (hasKey(app) || (app.metadata as Record<string, unknown>).require_signed_request_object) {
    return 'This app signs its requests with its own key, so you can’t test its sign-in here.'
  }
  return undefined
}

/**
 * Returns an app whose sign-in the user can test. Requires the permission to manage the app's secrets,
 * because the test creates a secret.
 * @throws AppError CONFLICT if the app's sign-in cannot be tested, NOT_FOUND, and the errors of
 * `requireWorkspace`
 */
async function requireTestable(actor: SessionActor, clientId: string): Promise<OAuthApp> {
  const app = await requireApp(actor, clientId, 'workspace:manage-secrets')
  const reason = whyUntestable(app)
  if (reason) throw new AppError('CONFLICT', reason)
  return app
}
