import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse } from 'node:querystring'
import type { Client } from 'oidc-provider'
import { credentialKind } from '@/lib/base/credentials/tokens'
import { isOutage } from '@/lib/base/db/database-errors'
import { sendJson } from '@/lib/base/http/answers'
import { log } from '@/lib/base/log/log'
import { matchesStoredSecret } from '../engine/client-authentication'
import { canInspect } from '../engine/configuration'
import { grantedClaims, knownClient } from '../engine/internals'
import type { Engine } from '../engine/provider'
import { coversService, foreignResources, issuer, routes } from '../protocol/routes'
import { pickClaims } from '../store/account'
import { apiInForm } from '../store/api-tokens'
import { isExpired } from '../store/artifacts'
import { actingClient } from '../store/clients'
import { readAhead } from '../store/request-unit'
import { type AuthorizationRow, isCutOff, type Snapshot, type UserRow } from '../store/snapshot'
import { answerApiIntrospection, mostBytes } from './api-introspection'

/**
 * Answers userinfo and introspection requests of apps without oidc-provider if they are typical and the token
 * is valid, and introspection requests of APIs that send credentials in the form. Leaves all other requests
 * to oidc-provider, including invalid requests of apps. oidc-provider then uses the data loaded here. See
 * ADR 0005.
 * @param route `routes.userinfo` or `routes.introspection`
 * @returns whether the request was answered. If not, the request is unchanged.
 */
export async function answerRead(
  engine: Engine,
  route: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<boolean> {
  const answer = route === routes.userinfo ? answerUserinfo : answerIntrospection
  for (const header of unusual) if (req.headers[header] !== undefined) return false
  try {
    return await answer(engine, req, res)
  } catch (error) {
    if (res.headersSent) throw error
    // Leave the request to oidc-provider, which reports a database outage itself. Any other error is a defect
    // in this module. Log it, because no one would notice it if oidc-provider answers the request.
    if (!isOutage(error)) log.error('a read failed and was passed to oidc-provider', { name: route, error })
    return false
  }
}

/**
 * Headers that only unusual requests have: those from pages on other sites, with DPoP, or with a client
 * attestation.
 */
const unusual = ['origin', 'dpop', 'oauth-client-attestation', 'oauth-client-attestation-pop'] as const

/**
 * Answers GET /oauth/me with a bearer token in its header (OpenID Connect Core section 5.3). The token must
 * be usable (`usableToken`), have the `openid` scope, and be valid for the whole service. Leaves signed
 * responses to oidc-provider, which computes RSA signatures on another thread.
 * @returns whether the request was answered
 */
async function answerUserinfo(engine: Engine, req: IncomingMessage, res: ServerResponse): Promise<boolean> {
  if (req.method !== 'GET') return false
  const token = /^Bearer ([\w]+)$/i.exec(req.headers.authorization ?? '')?.[1]
  if (token === undefined || credentialKind(token) !== 'accessToken') return false
  const good = usableToken(engine, await readAhead(req, null, token), 'userinfo')
  if (!good) return false
  const { payload, client, authorization, user } = good
  if (client.userinfoSignedResponseAlg) return false
  if (payload.aud !== undefined && !coversService(payload.aud)) return false
  const names = await grantedClaims(engine.provider, client, payload.scope, authorization)
  if (!names.includes('sub')) return false
  sendOpenJson(res, pickClaims(user, names), 'DPoP-Nonce,WWW-Authenticate')
  return true
}

/**
 * Answers POST /oauth/token/introspection if an app introspects a usable access token (`usableToken`) that
 * was issued to the app and is not for an API (RFC 7662 section 2), or if an API sends its credentials in the
 * form.
 * @returns whether the request was answered
 */
async function answerIntrospection(
  engine: Engine,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<boolean> {
  if (req.method !== 'POST') return false
  const form = await peekForm(req)
  const api = form && apiInForm(form.client_id, form.client_secret)
  if (api) {
    await answerApiIntrospection(engine, api, req, res)
    return true
  }
  const asking = form && callerOf(form, req.headers.authorization)
  if (!asking || !form.token || credentialKind(form.token) !== 'accessToken') return false
  const snapshot = await readAhead(req, asking.id, form.token)
  const row = actingClient(snapshot, asking.id, 'introspection')
  const client = row && knownClient(engine.provider, row)
  if (!client || !methodsFor(asking).includes(client.clientAuthMethod ?? '')) return false
  const good = usableToken(engine, snapshot, 'introspection')
  if (!good || !canInspect(client, good.payload) || foreignResources(good.payload).length > 0) return false
  if (asking.secret !== undefined && !matchesStoredSecret(snapshot.secrets, asking.secret)) return false
  const { accountId, clientId, exp, iat, sid, aud, scope } = good.payload
  req.resume()
  sendOpenJson(
    res,
    {
      active: true,
      sub: accountId,
      client_id: clientId,
      exp,
      iat,
      sid,
      iss: issuer(),
      aud,
      scope: scope || undefined,
      token_type: 'Bearer',
    },
    'WWW-Authenticate',
  )
  return true
}

type Asking = { id: string; secret?: string | undefined }

const fields = new Set(['token', 'token_type_hint', 'client_id', 'client_secret'])

/**
 * Returns the client's ID and secret, which can be sent in two ways (RFC 6749 section 2.3.1), or the ID of a
 * public client. Returns undefined, so that oidc-provider answers the request, if the form has a field that
 * is not in `fields`, or if the credentials are missing, malformed, or contradictory.
 */
function callerOf(form: Form, header: string | undefined): Asking | undefined {
  for (const name in form) if (!fields.has(name)) return undefined
  const { client_id: id, client_secret: secret } = form
  if (header === undefined) return id ? { id, secret: secret || undefined } : undefined
  const basic = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  if (basic === undefined || basic.length % 4 !== 0 || secret) return undefined
  // Our IDs and secrets contain no characters that must be escaped, so this function decodes no escapes.
  const [, basicId, basicSecret] =
    /^([\w-]+):(\w+)$/.exec(Buffer.from(basic, 'base64').toString('latin1')) ?? []
  if (!basicId || !basicSecret || (id && id !== basicId)) return undefined
  return { id: basicId, secret: basicSecret }
}

/** Returns the registered authentication methods that allow these credentials. */
const methodsFor = ({ secret }: Asking): string[] =>
  secret === undefined ? ['none'] : ['client_secret_basic', 'client_secret_post']

/** A valid access token without unusual properties, with its client, authorization, and user. */
type UsableToken = {
  payload: {
    iat: number
    exp: number
    accountId: string
    clientId: string
    scope: string
    sid?: string
    aud?: string
  }
  client: Client
  authorization: AuthorizationRow
  user: UserRow
}

/**
 * The usual properties of an access token. Tokens with any other property are left to oidc-provider.
 */
const ordinary = new Set([
  'iat',
  'exp',
  'accountId',
  'clientId',
  'scope',
  'sid',
  'aud',
  'gty',
  'sessionUid',
  'format',
  'claims',
  'amr',
])

/**
 * Returns the access token of a snapshot, with its client, authorization, and user. Checks whether
 * oidc-provider would accept the token, with a short form of its `AccessToken.find`, `Client.find`,
 * `findAccount`, and `Grant.find`. Also requires that the token is not bound to a key, and that no claims are
 * requested by name. The response then depends only on the token's scopes and audience.
 * @param route the name of the endpoint in oidc-provider
 * @returns undefined for any other token, or if oidc-provider has not yet validated the client's current
 * metadata
 */
function usableToken({ provider }: Engine, snapshot: Snapshot, route: string): UsableToken | undefined {
  const { artifact, authorization, user } = snapshot
  if (artifact?.model !== 'AccessToken' || artifact.consumedAt || isCutOff(snapshot)) return undefined
  if (!authorization || !user) return undefined
  const payload = artifact.payload as UsableToken['payload'] & { format?: string; claims?: object }
  for (const name in payload) if (!ordinary.has(name)) return undefined
  for (const _claim in payload.claims) return undefined
  const { iat, exp, scope, sid, aud, format } = payload
  if (typeof iat !== 'number' || typeof exp !== 'number' || isExpired(artifact)) return undefined
  if (typeof scope !== 'string' || !isTextOrNone(sid) || !isTextOrNone(aud)) return undefined
  if (format !== undefined && format !== 'opaque') return undefined
  if (authorization.clientId !== payload.clientId || authorization.userId !== payload.accountId)
    return undefined
  if (user.id !== payload.accountId) return undefined
  const row = actingClient(snapshot, payload.clientId, route)
  const client = row && knownClient(provider, row)
  return client?.subjectType === 'public' ? { payload, client, authorization, user } : undefined
}

const isTextOrNone = (value: unknown) => value === undefined || typeof value === 'string'

/** The content type of a form in UTF-8. Clients that use `fetch` send it with the charset. */
const formType = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i

/** The fields of a form, each sent once. */
type Form = Record<string, string | undefined>

/**
 * Reads a form without consuming the stream, so that a later reader receives the whole form.
 * @returns undefined unless the body is a form of up to `mostBytes` with a Content-Length and no
 * Content-Encoding, and each field is sent once
 */
async function peekForm(req: IncomingMessage): Promise<Form | undefined> {
  const { headers } = req
  const length = Number(headers['content-length'])
  if (!(length > 0 && length <= mostBytes)) return undefined
  if (!formType.test(headers['content-type'] ?? '')) return undefined
  if (headers['content-encoding'] !== undefined || headers['transfer-encoding'] !== undefined)
    return undefined
  const chunks: Buffer[] = []
  for (let left = length; left > 0; ) {
    if (req.readableLength === 0) await once(req, 'readable')
    const chunk = req.read() as Buffer | null
    if (!chunk) return undefined
    chunks.push(chunk)
    left -= chunk.length
  }
  // Put the body back immediately, before the stream ends.
  const body = Buffer.concat(chunks)
  req.unshift(body)
  const form = parse(body.toString())
  for (const name in form) if (typeof form[name] !== 'string') return undefined
  return form as Form
}

/**
 * Sends a response with the same headers as oidc-provider. The response does not depend on cookies, so any
 * origin can read it. It must not be cached, because a token can be revoked at any time.
 * @param exposed the headers that other origins can read
 */
const sendOpenJson = (res: ServerResponse, body: object, exposed: string): void =>
  sendJson(res, 200, body, {
    vary: 'Origin',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposed,
    'cache-control': 'no-store',
  })
