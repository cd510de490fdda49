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

/** How far a try has come, with everything that was sent and answered until now. */
export type Tried = {
  state: 'asked' | 'done' | 'failed'
  steps: Exchange[]
  /** While it is asked: what the page sends back to go on, and where the person answers. */
  pending?: string
  answerHref?: string
  /** What the id_token says, when it is done. */
  idToken?: { header: string; claims: string }
  /** Something was allowed the app before, so what was allowed now stays. */
  kept?: boolean
}

/** What is remembered between two steps, sealed into the page: nothing of a try is stored. */
type Pending = { userId: string; clientId: string; deviceCode: string; had: boolean; steps: Exchange[] }

const keys = () => derivedKeys('try-sign-in')

/**
 * Begins to sign in to an app as the app would, by the device flow (RFC 8628), for whoever may manage its secrets.
 * See ADR 0028.
 * @param scope as the app would send it
 * @throws AppError as `requireTriable`
 */
export async function beginTry(actor: SessionActor, clientId: string, scope: string): Promise<Tried> {
  const app = await requireTriable(actor, clientId)
  const had = await prisma().authorization.count({ where: { clientId: app.id, userId: actor.userId } })
  const { shown, status, body } = await exchange(
    'The app asks for a code',
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
 * Goes on after the person has answered: fetches the tokens, reads who they are for, and ends everything at once. Tokens never
 * leave this process.
 * @param sealed what `beginTry` answered as `pending`; only whoever began goes on
 * @throws AppError CONFLICT (no try of this person, or somebody else answered), and as `requireTriable`
 */
export async function goOnWithTry(actor: SessionActor, sealed: string): Promise<Tried> {
  const text = openToken(sealed, keys())
  const { answerHref, ...pending } = text
    ? (JSON.parse(text) as Pending & { answerHref: string })
    : { answerHref: '', userId: undefined }
  if (pending.userId !== actor.userId)
    throw new AppError('CONFLICT', 'This test sign-in has expired. Start a new one.')
  const app = await requireTriable(actor, pending.clientId)
  await requireOwnAnswer(actor, pending.deviceCode)
  const fetched = await withSecret(actor, app, (credentials) =>
    fetchTokens(actor, pending.deviceCode, credentials),
  )
  const steps = [...pending.steps, ...fetched.steps]
  if (fetched.error === 'authorization_pending' || fetched.error === 'slow_down') {
    return asked({ ...pending, steps: pending.steps }, answerHref)
  }
  if (!pending.had) await endWhatWasAllowed(actor, app)
  if (fetched.error) return { state: 'failed', steps }
  return { state: 'done', steps, kept: pending.had, ...(fetched.idToken && { idToken: fetched.idToken }) }
}

/**
 * A code can be passed on: what somebody else allows by it is for the app itself, and shown to nobody here. Whoever answers
 * after this look is found by the token.
 */
async function requireOwnAnswer(actor: SessionActor, deviceCode: string): Promise<void> {
  const { hash, accountId } = await accountOf(deviceCode)
  if (accountId === undefined || accountId === actor.userId) return
  await prisma().oAuthArtifact.deleteMany({ where: { hash } })
  throw somebodyElse()
}

/** Whose a device code or a token is; of a code that nobody answered nobody's. */
async function accountOf(credential: string) {
  const hash = Uint8Array.from(hashCredential(credential))
  const row = await prisma().oAuthArtifact.findUnique({ where: { hash }, select: { payload: true } })
  return { hash, accountId: ((row?.payload ?? {}) as { accountId?: string }).accountId }
}

const somebodyElse = () =>
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
  const tokens = await exchange('It fetches the tokens', routes.token, actor, { fields })
  const { access_token: access, refresh_token: renewal, id_token: idToken, error } = tokens.body
  const steps = [tokens.shown]
  if (typeof access !== 'string') return { steps, error: String(error ?? 'invalid_request') }
  try {
    if ((await accountOf(access)).accountId !== actor.userId) throw somebodyElse()
    const claims = await exchange('It asks who signed in', routes.userinfo, actor, { bearer: access })
    steps.push(claims.shown)
  } finally {
    // A refresh token that is revoked takes its sign-in with it (RFC 7009 section 2.1).
    for (const token of [renewal, access].filter((one) => typeof one === 'string')) {
      const ended = await exchange('It gives a token back', routes.revocation, actor, {
        fields: { token, ...credentials },
      })
      steps.push(ended.shown)
    }
  }
  return { steps, ...(typeof idToken === 'string' && { idToken: decoded(idToken) }) }
}

/** What an id_token says (RFC 7519); its signature is left out. It came from this very process. */
function decoded(token: string): { header: string; claims: string } {
  const [header = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  const lines = (json: string) => JSON.stringify(JSON.parse(json), null, 2)
  return { header: lines(header), claims: lines(claims) }
}

/** Where nothing was allowed before the try, nothing is afterwards. */
async function endWhatWasAllowed(actor: SessionActor, app: OAuthApp): Promise<void> {
  const key = { userId: actor.userId, clientId: app.id }
  const made = await prisma().authorization.findUnique({ where: { userId_clientId: key } })
  if (made) await revokeAuthorization(actor, made.id)
}

/** Why nobody but an app itself can do what the try does for it; undefined where it can be tried. */
export function untriable(app: Pick<OAuthClient, 'disabledAt' | 'metadata'>): string | undefined {
  if (app.disabledAt) return 'The instance admin of this service has disabled this app.'
  if (hasKey(app) || (app.metadata as Record<string, unknown>).require_signed_request_object) {
    return 'This app signs its requests with a key that only it has, so nobody can send them for it.'
  }
  return undefined
}

/**
 * An app whose sign-in somebody may try. It takes the right to make secrets of it, since one is made for the moment.
 * @throws AppError CONFLICT (it cannot be tried), NOT_FOUND, and as `requireWorkspace`
 */
async function requireTriable(actor: SessionActor, clientId: string): Promise<OAuthApp> {
  const app = await requireApp(actor, clientId, 'workspace:manage-secrets')
  const reason = untriable(app)
  if (reason) throw new AppError('CONFLICT', reason)
  return app
}
