import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { tokensIssued } from '@/lib/base/telemetry/metrics'
import { isMeasured } from '@/lib/base/telemetry/telemetry'
import { countUse } from '@/lib/features/apps/usage/count-use'
import { describeRequest } from '../protocol/describe-request'
import { commitTokenRequest, winnersAnswer } from './commit-token-request'
import { endIssued } from './end-issued'
import { type Binding, openAnswer, sealAnswer, type TokenAnswer } from './replay-answer'
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
