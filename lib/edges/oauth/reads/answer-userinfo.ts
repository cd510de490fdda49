import type { IncomingMessage, ServerResponse } from 'node:http'
import { credentialKind } from '@/lib/base/credentials/tokens'
import type { Engine } from '../engine/provider'
import { grantedClaims } from '../overrides/granted-claims'
import { coversService } from '../protocol/resources'
import { pickClaims } from '../store/account'
import { readAhead } from '../store/request-unit'
import { goodToken } from './good-token'
import { sendOpenJson } from './send-open-json'

/**
 * Answers GET /oauth/me with a bearer token in its header (OpenID Connect Core section 5.3). Leaves signed responses to
 * oidc-provider, which signs RSA on another thread.
 * @returns whether it was answered
 */
export async function answerUserinfo(
  engine: Engine,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<boolean> {
  if (req.method !== 'GET') return false
  const token = /^Bearer ([\w]+)$/i.exec(req.headers.authorization ?? '')?.[1]
  if (token === undefined || credentialKind(token) !== 'accessToken') return false
  const good = goodToken(engine, await readAhead(req, null, token), 'userinfo')
  if (!good) return false
  const { payload, client, authorization, person } = good
  if (client.userinfoSignedResponseAlg) return false
  if (payload.aud !== undefined && !coversService(payload.aud)) return false
  const names = await grantedClaims(engine.provider, client, payload.scope, authorization)
  if (!names.includes('sub')) return false
  sendOpenJson(res, pickClaims(person, names), 'DPoP-Nonce,WWW-Authenticate')
  return true
}
