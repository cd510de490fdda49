import type { Client } from 'oidc-provider'
import type { Engine } from '../engine/provider'
import { knownClient } from '../overrides/client-instances'
import { isExpired } from '../store/artifacts'
import { actingClient } from '../store/find-client-row'
import { type AuthorizationRow, isCutOff, type PersonRow, type Snapshot } from '../store/snapshot'

/** A good access token of which nothing is unusual, and who stands behind it. */
export type GoodToken = {
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
  person: PersonRow
}

/** What the engine writes into every access token. With anything else in it, it is the engine that knows what that means. */
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
 * The access token of a snapshot, if the engine would take it (its `AccessToken.find`, `Client.find`, `findAccount` and
 * `Grant.find`, in short) and would find nothing in it to heed but its scopes and its audience: not bound to a key, no
 * claims asked for by name.
 * @param route the engine's name of the endpoint
 * @returns undefined also where the engine has not met the client as it is now, whose metadata it checks first
 */
export function goodToken({ provider }: Engine, snapshot: Snapshot, route: string): GoodToken | undefined {
  const { artifact, authorization, person } = snapshot
  if (artifact?.model !== 'AccessToken' || artifact.consumedAt || isCutOff(snapshot)) return undefined
  if (!authorization || !person) return undefined
  const payload = artifact.payload as GoodToken['payload'] & { format?: string; claims?: object }
  for (const name in payload) if (!ordinary.has(name)) return undefined
  for (const _claim in payload.claims) return undefined
  const { iat, exp, scope, sid, aud, format } = payload
  if (typeof iat !== 'number' || typeof exp !== 'number' || isExpired(artifact)) return undefined
  if (typeof scope !== 'string' || !isTextOrNone(sid) || !isTextOrNone(aud)) return undefined
  if (format !== undefined && format !== 'opaque') return undefined
  if (authorization.clientId !== payload.clientId || authorization.userId !== payload.accountId)
    return undefined
  if (person.id !== payload.accountId) return undefined
  const row = actingClient(snapshot, payload.clientId, route)
  const client = row && knownClient(provider, row)
  return client?.subjectType === 'public' ? { payload, client, authorization, person } : undefined
}

const isTextOrNone = (value: unknown) => value === undefined || typeof value === 'string'
