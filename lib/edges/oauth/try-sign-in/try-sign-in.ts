import { derivedKeys, openToken, sealToken } from '@/lib/base/credentials/seal'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { hasKey } from '@/lib/features/apps/app-metadata'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { type OAuthApp, requireApp } from '@/lib/features/apps/require-app'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import type { SessionActor } from '@/lib/policy/actor'
import { deviceGrant, routes } from '../protocol/routes'
import { type Exchange, exchange, withSecret } from './exchange'

/** The state of a test sign-in, with all requests and responses so far. */
export type Tried = {
  state: 'asked' | 'done' | 'failed'
  steps: Exchange[]
  /** While the state is `asked`: the value to continue with, and the page where the user decides. */
  pending?: string
  answerHref?: string
  /** The decoded ID token, if the state is `done`. */
  idToken?: { header: string; claims: string }
  /** Whether the app had access before. If so, it keeps the new access. */
  kept?: boolean
}

/** The state between two steps, encrypted into the page. The server stores nothing. */
type Pending = { userId: string; clientId: string; deviceCode: string; had: boolean; steps: Exchange[] }

const keys = () => derivedKeys('try-sign-in')

/**
 * Starts a test sign-in with the device flow (RFC 8628). Requires the permission to manage the app’s secrets.
 * See ADR 0028.
 * @param scope as the app would send it
 * @throws AppError as `requireTestable`
 */
export async function startTestSignIn(actor: SessionActor, clientId: string, scope: string): Promise<Tried> {
  const app = await requireTestable(actor, clientId)
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
  if (status !== 200) return { state: 'failed', steps: [shown] }
  const answer = new URL(String(body.verification_uri_complete))
  return asked(
    {
      userId: actor.userId,
      clientId: app.id,
      deviceCode: String(body.device_code),
      had: had > 0,
      steps: [shown],
    },
    answer.pathname + answer.search,
  )
}

const asked = (pending: Pending, answerHref: string): Tried => ({
  state: 'asked',
  steps: pending.steps,
  pending: sealToken(JSON.stringify({ ...pending, answerHref }), keys()),
  answerHref,
})

/**
 * Continues after the user has decided: fetches the tokens, reads the claims, and then revokes everything.
 * Tokens never leave this process.
 * @param sealed the `pending` value from `startTestSignIn`; only the same user can continue
 * @throws AppError CONFLICT if this user has no test sign-in, or another user answered, and as `requireTestable`
 */
export async function continueTestSignIn(actor: SessionActor, sealed: string): Promise<Tried> {
  const text = openToken(sealed, keys())
  const { answerHref, ...pending } = text
    ? (JSON.parse(text) as Pending & { answerHref: string })
    : { answerHref: '', userId: undefined }
  if (pending.userId !== actor.userId)
    throw new AppError('CONFLICT', 'This test sign-in has expired. Start a new one.')
  const app = await requireTestable(actor, pending.clientId)
  await requireOwnAnswer(actor, pending.deviceCode)
  const fetched = await withSecret(actor, app, (credentials) =>
    fetchTokens(actor, pending.deviceCode, credentials),
  )
  const steps = [...pending.steps, ...fetched.steps]
  if (fetched.error === 'authorization_pending' || fetched.error === 'slow_down') {
    return asked({ ...pending, steps: pending.steps }, answerHref)
  }
  if (!pending.had) await revokeTestAuthorization(actor, app)
  if (fetched.error) return { state: 'failed', steps }
  return { state: 'done', steps, kept: pending.had, ...(fetched.idToken && { idToken: fetched.idToken }) }
}

/**
 * Rejects the decision of another user, because a code can be shared. What they grant is for the app and must
 * not be shown here. A decision after this check is caught by the token's user.
 */
async function requireOwnAnswer(actor: SessionActor, deviceCode: string): Promise<void> {
  const { hash, accountId } = await accountOf(deviceCode)
  if (accountId === undefined || accountId === actor.userId) return
  await prisma().oAuthArtifact.deleteMany({ where: { hash } })
  throw answeredByAnotherUser()
}

/** Returns the user of a device code or token; undefined for an unanswered code. */
async function accountOf(credential: string) {
  const hash = Uint8Array.from(hashCredential(credential))
  const row = await prisma().oAuthArtifact.findUnique({ where: { hash }, select: { payload: true } })
  return { hash, accountId: ((row?.payload ?? {}) as { accountId?: string }).accountId }
}

const answeredByAnotherUser = () =>
  new AppError(
    'CONFLICT',
    'Someone else answered this test sign-in. Start a new one, and answer it yourself.',
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
    // Revoking a refresh token also ends its sign-in (RFC 7009 section 2.1).
    for (const token of [renewal, access].filter((one) => typeof one === 'string')) {
      const ended = await exchange('Revoke the token', routes.revocation, actor, {
        fields: { token, ...credentials },
      })
      steps.push(ended.shown)
    }
  }
  return { steps, ...(typeof idToken === 'string' && { idToken: decoded(idToken) }) }
}

/** Decodes an ID token (RFC 7519) without verifying it, because this process issued it. */
function decoded(token: string): { header: string; claims: string } {
  const [header = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  const lines = (json: string) => JSON.stringify(JSON.parse(json), null, 2)
  return { header: lines(header), claims: lines(claims) }
}

/** Revokes the authorization that the test created. */
async function revokeTestAuthorization(actor: SessionActor, app: OAuthApp): Promise<void> {
  const key = { userId: actor.userId, clientId: app.id }
  const made = await prisma().authorization.findUnique({ where: { userId_clientId: key } })
  if (made) await revokeAuthorization(actor, made.id)
}

/** Returns why the test cannot act for the app; undefined if it can. */
export function whyUntestable(app: Pick<OAuthClient, 'disabledAt' | 'metadata'>): string | undefined {
  if (app.disabledAt) return 'An instance admin has disabled this app.'
  if (hasKey(app) || (app.metadata as Record<string, unknown>).require_signed_request_object) {
    return 'This app signs its requests with its own key, so you can’t test its sign-in here.'
  }
  return undefined
}

/**
 * Returns an app whose sign-in the user can test. Requires the permission to manage its secrets, because the
 * test creates one.
 * @throws AppError CONFLICT if it cannot be tested, NOT_FOUND, and as `requireWorkspace`
 */
async function requireTestable(actor: SessionActor, clientId: string): Promise<OAuthApp> {
  const app = await requireApp(actor, clientId, 'workspace:manage-secrets')
  const reason = whyUntestable(app)
  if (reason) throw new AppError('CONFLICT', reason)
  return app
}
