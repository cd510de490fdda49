import { setTimeout as sleep } from 'node:timers/promises'
import type { Provider } from 'oidc-provider'
import { isOutage } from '@/lib/base/db/database-errors'
import { log } from '@/lib/base/log/log'
import { runInBackground } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import type { EndedSignIn, LogoutMessage } from '@/lib/features/apps/activity/back-channel-logout'
import { keepUsedTables } from '@/lib/features/apps/authorizations/used-tables'
import { removeStale } from '@/lib/features/apps/remove-stale'
import { currentFingerprint, loadKeyRing, type PrivateJwk } from '@/lib/features/keys/signing-keys'
import { apiById } from '@/lib/features/resources/apis'
import type { ApiEvent } from '@/lib/features/resources/events'
import { issuer } from '../protocol/routes'
import { signForApi } from './api-resources'
import { createProvider } from './create-provider'
import { issueLogoutToken } from './internals'

/**
 * The number of milliseconds after which a call to `oauthEngine` checks again whether the signing keys have
 * changed. See ADR 0005.
 */
const lookAfterMs = 5000

/**
 * The maximum number of milliseconds that a request for the key set waits for the check of the signing keys.
 */
const lookMs = 900

export type Engine = {
  provider: Provider
  callback: ReturnType<Provider['callback']>
  fingerprint: string
  /** The published keys. For each algorithm, the first key signs. */
  keys: readonly PrivateJwk[]
}
type Holder = { engine: Promise<Engine> | undefined; lookedAt: number }

const holder = () => remember<Holder>('oauth-engine', () => ({ engine: undefined, lookedAt: 0 }))

async function build(): Promise<Engine> {
  const ring = await loadKeyRing()
  const provider = createProvider(ring.keys)
  return { provider, callback: provider.callback(), fingerprint: ring.fingerprint, keys: ring.keys }
}

/**
 * Returns the process's oidc-provider, which the first call creates. Later calls check in the background, at
 * most once per `lookAfterMs`, whether the signing keys have changed. If they have, a new instance replaces
 * the current one without a restart, because an instance is stateless. Requests in progress finish with the
 * old instance. Each call also runs `cleanUpOccasionally`.
 */
export function oauthEngine(): Promise<Engine> {
  const state = holder()
  cleanUpOccasionally()
  if (!state.engine) {
    state.lookedAt = Date.now()
    state.engine = build()
    state.engine.catch(() => {
      state.engine = undefined
    })
  } else if (Date.now() - state.lookedAt > lookAfterMs) {
    state.lookedAt = Date.now()
    refresh(state).catch((error) => log.warn('the signing keys could not be read', { error }))
  }
  return state.engine
}

async function refresh(state: Holder): Promise<void> {
  const engine = await state.engine
  if (engine && (await currentFingerprint()) !== engine.fingerprint)
    state.engine = Promise.resolve(await build())
}

/**
 * Returns oidc-provider with the current keys, for publishing the key set. If the database is unavailable or
 * slow, returns oidc-provider with the cached keys.
 * @param withinMs if the last check started less than this number of milliseconds ago, the keys are not
 * checked again. Each check runs one statement, and loads the keys only if they have changed.
 * @throws the error of the check, unless it is a database outage
 */
export async function engineWithCurrentKeys(withinMs = 1000): Promise<Engine> {
  const engine = await oauthEngine()
  const state = holder()
  if (Date.now() - state.lookedAt < withinMs) return engine
  state.lookedAt = Date.now()
  const look = refresh(state).catch((error) => {
    // During a database outage, publish the cached keys, so that relying parties can still verify tokens.
    if (!isOutage(error)) throw error
    log.warn('the signing keys could not be read', { error })
  })
  // Also publish the cached keys if the database does not respond in time.
  await Promise.race([look, sleep(lookMs, undefined, { ref: false })])
  return oauthEngine()
}

/**
 * Returns an app's logout URL and the logout token to send to it (OpenID Connect Back-Channel Logout section
 * 2.4). The token is signed like the app's ID tokens. Like them, it contains the `sid` only if the app
 * registered `backchannel_logout_session_required`.
 * @returns undefined for an app that was deleted or disabled, or no longer uses back-channel logout
 */
export async function makeLogoutToken({
  clientId,
  userId,
  sid,
}: EndedSignIn): Promise<LogoutMessage | undefined> {
  const { provider } = await oauthEngine()
  const client = await provider.Client.find(clientId)
  if (!client?.backchannelLogoutUri) return undefined
  const token = await issueLogoutToken(provider, client, userId, sid)
  return { address: client.backchannelLogoutUri, token }
}

/** The URIs of the event types, from CAEP 1.0 section 3.1 and OAuth Event Types 1.0. */
const eventTypes = {
  'tokens-revoked': 'https://schemas.openid.net/secevent/oauth/event-type/tokens-revoked',
  'session-revoked': 'https://schemas.openid.net/secevent/caep/event-type/session-revoked',
}

/**
 * Returns the security event token (RFC 8417) for an API's event, and the URL to which it is sent. The
 * token's subject is the user (RFC 9493 section 3.2.4).
 * @returns undefined for an API that was deleted or no longer receives events
 */
export async function makeSecurityEventToken(
  event: ApiEvent,
): Promise<{ url: string; token: string } | undefined> {
  const api = await apiById(event.apiId)
  if (!api?.eventsUrl) return undefined
  const { keys } = await oauthEngine()
  const { id, type, userId, clientId, sid, at } = event
  const token = await signForApi(keys, api, 'secevent+jwt', {
    jti: id,
    sub_id: { format: 'iss_sub', iss: issuer(), sub: userId },
    events: { [eventTypes[type]]: { client_id: clientId, event_timestamp: at, ...(sid && { sid }) } },
  })
  return { url: api.eventsUrl, token }
}

const everyMs = 60 * 60 * 1000

const state = () => remember('oauth-upkeep', () => ({ at: Date.now() }))

/**
 * Deletes expired data and maintains the tables for used tokens. Each process starts this work in the
 * background at most once per hour, when a request arrives. This also works on hosts without a long-running
 * process, where no scheduled jobs run (lib/base/jobs). Several replicas can do the work at the same time.
 */
function cleanUpOccasionally(): void {
  const last = state()
  if (Date.now() - last.at < everyMs) return
  last.at = Date.now()
  runInBackground('deletion of expired data', removeStale)
  runInBackground('creation of tables for used tokens', keepUsedTables)
}
