import { setTimeout as sleep } from 'node:timers/promises'
import type { Provider } from 'oidc-provider'
import { isOutage } from '@/lib/base/db/database-errors'
import { log } from '@/lib/base/log/log'
import { runInBackground } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import type { EndedSignIn, LogoutMessage } from '@/lib/features/apps/activity/back-channel-logout'
import { keepUsedTables, removeStale } from '@/lib/features/apps/authorizations/used-tables'
import { currentFingerprint, loadKeyRing } from '@/lib/features/keys/signing-keys'
import { createProvider } from './create-provider'
import { issueLogoutToken } from './internals'

/** How long a process goes on with the keys it knows before it looks whether they were rotated. See ADR 0007. */
const lookAfterMs = 5000

/** How long a look is waited for where there are keys to answer with, in milliseconds. */
const lookMs = 900

export type Engine = {
  provider: Provider
  callback: ReturnType<Provider['callback']>
  fingerprint: string
}
type Holder = { engine: Promise<Engine> | undefined; lookedAt: number }

const holder = () => remember<Holder>('oauth-engine', () => ({ engine: undefined, lookedAt: 0 }))

async function build(): Promise<Engine> {
  const ring = await loadKeyRing()
  const provider = createProvider(ring.keys)
  return { provider, callback: provider.callback(), fingerprint: ring.fingerprint }
}

/**
 * The one engine of the process. It holds no state of its own, so when the signing keys change a new one simply takes its
 * place: requests under way end with the old one, and no replica needs a restart.
 */
export function oauthEngine(): Promise<Engine> {
  const state = holder()
  tidyNowAndThen()
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
 * The engine with the keys of this moment, for the answer that publishes them.
 * @param withinMs how old the last look may be; a look costs a statement
 */
export async function freshEngine(withinMs = 1000): Promise<Engine> {
  const engine = await oauthEngine()
  const state = holder()
  if (Date.now() - state.lookedAt < withinMs) return engine
  state.lookedAt = Date.now()
  const look = refresh(state).catch((error) => {
    // Relying parties go on verifying with the keys they know while the database is away.
    if (!isOutage(error)) throw error
    log.warn('the signing keys could not be read', { error })
  })
  // A database that hangs is away too.
  await Promise.race([look, sleep(lookMs, undefined, { ref: false })])
  return oauthEngine()
}

/**
 * Makes the logout token that tells an app of a sign-out (OpenID Connect Back-Channel Logout section 2.4), signed as the
 * app's id_tokens are. It names the session where the app registered that it wants that, as its id_tokens do.
 * @returns undefined for an app that is gone, disabled, or does not want to hear of it any more
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

const everyMs = 60 * 60 * 1000

const state = () => remember('oauth-upkeep', () => ({ at: Date.now() }))

/**
 * Tidies up now and then, beside some request: so it happens on hosts without a lasting process too, where nothing runs at
 * set times (lib/base/jobs). Several replicas doing it do no harm.
 */
function tidyNowAndThen(): void {
  const last = state()
  if (Date.now() - last.at < everyMs) return
  last.at = Date.now()
  runInBackground('removing what has expired', removeStale)
  runInBackground('making tables for used tokens', keepUsedTables)
}
