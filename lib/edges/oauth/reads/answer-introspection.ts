import type { IncomingMessage, ServerResponse } from 'node:http'
import { credentialKind } from '@/lib/base/credentials/tokens'
import { mayAskAbout } from '../config/features'
import type { Engine } from '../engine/provider'
import { knownClient } from '../overrides/client-instances'
import { isOneOf } from '../overrides/client-secrets'
import { issuer } from '../protocol/routes'
import { actingClient } from '../store/find-client-row'
import { readAhead } from '../store/request-unit'
import { goodToken } from './good-token'
import { type Form, peekForm } from './peek-form'
import { sendOpenJson } from './send-open-json'

/**
 * POST /oauth/token/introspection by an app that asks about an access token of its own (RFC 7662 section 2).
 * @returns whether it was answered
 */
export async function answerIntrospection(
  engine: Engine,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<boolean> {
  if (req.method !== 'POST') return false
  const form = await peekForm(req)
  const asking = form && whoAsks(form, req.headers.authorization)
  if (!asking || !form.token || credentialKind(form.token) !== 'accessToken') return false
  const snapshot = await readAhead(req, asking.id, form.token)
  const row = actingClient(snapshot, asking.id, 'introspection')
  const client = row && knownClient(engine.provider, row)
  if (!client || !methodsFor(asking).includes(client.clientAuthMethod ?? '')) return false
  const good = goodToken(engine, snapshot, 'introspection')
  if (!good || !mayAskAbout(client, good.payload)) return false
  if (asking.secret !== undefined && !isOneOf(snapshot.secrets, asking.secret)) return false
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

/** The client's id and secret, sent in one of the two ways (RFC 6749 section 2.3.1), or the id of a public client. */
function whoAsks(form: Form, header: string | undefined): Asking | undefined {
  for (const name in form) if (!fields.has(name)) return undefined
  const { client_id: id, client_secret: secret } = form
  if (header === undefined) return id ? { id, secret: secret || undefined } : undefined
  const basic = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  if (basic === undefined || basic.length % 4 !== 0 || secret) return undefined
  // Ids and secrets of ours need no escaping, and nothing that is escaped is decoded here.
  const [, basicId, basicSecret] =
    /^([\w-]+):(\w+)$/.exec(Buffer.from(basic, 'base64').toString('latin1')) ?? []
  if (!basicId || !basicSecret || (id && id !== basicId)) return undefined
  return { id: basicId, secret: basicSecret }
}

/** The methods that a client may be registered with to ask in this way. */
const methodsFor = ({ secret }: Asking): string[] =>
  secret === undefined ? ['none'] : ['client_secret_basic', 'client_secret_post']
