import { hash } from 'node:crypto'
import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { seal, unseal } from '@/lib/base/credentials/seal'
import { tokensIssued } from '@/lib/base/telemetry/metrics'
import { isMeasured } from '@/lib/base/telemetry/telemetry'
import { countUse } from '@/lib/features/apps/activity/count-use'
import { revokeForReuse } from '@/lib/features/apps/authorizations/revoke-authorization'
import { describeRequest } from '../protocol/requests'
import { deleteFamily } from './artifacts'
import { commitTokenRequest, winnersAnswer } from './commit-token-request'
import { type RequestUnit, unitOf } from './request-unit'

/**
 * Runs after the engine has made its answer and before it leaves: commits the token request's writes in one statement,
 * or turns the answer into `invalid_grant` when another request was first.
 * See decision 056.
 */
export async function finishRequest(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  try {
    await next()
    const unit = unitOf(ctx)
    if (unit?.endIssued) await endIssued(unit)
    else if (unit?.collects && ctx.status === 200) await settle(ctx, unit)
  } finally {
    unitOf(ctx)?.redemption?.end()
  }
}

async function settle(ctx: KoaContextWithOIDC, unit: RequestUnit): Promise<void> {
  const { refresh_token: presented, scope, resource } = ctx.oidc.params ?? {}
  const token = typeof presented === 'string' ? presented : undefined
  const binding: Binding = { scope, resource, jkt: ctx.oidc.entities.AccessToken?.jkt }
  if (unit.replay && token) return repeat(ctx, token, binding, unit.replay)

  const rotated = token !== undefined && unit.consumed
  const sealed = rotated ? sealAnswer(token, binding, ctx.body as TokenAnswer) : null
  if (await commitTokenRequest(unit, sealed)) {
    if (isMeasured()) tokensIssued.add(describeRequest(ctx))
    if (ctx.oidc.client) countUse(ctx.oidc.client.clientId, 'tokens')
    return
  }
  const first = token === undefined ? null : await winnersAnswer(unit)
  if (first && token) return repeat(ctx, token, binding, first)
  refuse(ctx)
}

function repeat(ctx: KoaContextWithOIDC, token: string, binding: Binding, sealed: Buffer): void {
  const answer = openAnswer(token, binding, sealed)
  if (answer) ctx.body = answer
  else refuse(ctx)
}

function refuse(ctx: KoaContextWithOIDC): void {
  const error = new errors.InvalidGrant('credential was used by another request')
  ctx.status = 400
  ctx.body = { error: error.error, error_description: error.error_description }
  ctx.oidc.provider.emit('grant.error', ctx, error)
}

/**
 * A token response kept for the client that never received it. The key is made from the refresh token that was
 * presented, so the stored answer opens only for whoever has that token; what else the request said is bound to it.
 */
type TokenAnswer = Record<string, unknown>

/** What must be the same for the same answer: scope, resource and DPoP key of the request. */
type Binding = { scope?: unknown; resource?: unknown; jkt?: unknown }

/** The token holds 256 random bits, so one hash, kept apart from the stored one by its prefix, is a key. */
const answerKey = (refreshToken: string) =>
  hash('sha256', `latchkey refresh-replay ${refreshToken}`, 'buffer')

const bindingText = ({ scope, resource, jkt }: Binding) =>
  JSON.stringify([scope ?? null, resource ?? null, jkt ?? null])

const sealAnswer = (refreshToken: string, binding: Binding, answer: TokenAnswer): Buffer =>
  seal(JSON.stringify({ binding: bindingText(binding), answer }), answerKey(refreshToken))

/** @returns the first answer, or undefined when this request asked for something else */
function openAnswer(refreshToken: string, binding: Binding, sealed: Uint8Array): TokenAnswer | undefined {
  const kept = JSON.parse(unseal(sealed, answerKey(refreshToken))) as { binding: string; answer: TokenAnswer }
  return kept.binding === bindingText(binding) ? kept.answer : undefined
}

/**
 * Ends what was issued from a credential, when the engine asked for it:
 * - a refresh token presented again after its window of grace was stolen from somebody: the whole authorization goes,
 *   with an audit event (RFC 9700 section 4.14.2);
 * - a code presented again ends the sign-in it had started (RFC 6749 section 4.1.2), not the person's other ones;
 * - a revoked refresh token ends its sign-in too (RFC 7009 section 2.1), a revoked access token only itself.
 */
async function endIssued(unit: RequestUnit): Promise<void> {
  const artifact = unit.snapshot?.artifact
  if (!artifact?.authorizationId) return
  if (unit.route === 'token' && artifact.model === 'RefreshToken') {
    await revokeForReuse(artifact.authorizationId)
  } else if (artifact.family && artifact.model !== 'AccessToken') {
    await deleteFamily(artifact.authorizationId, artifact.family)
  }
}
