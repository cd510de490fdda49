import { remember } from '@/lib/config/remember'
import { onShutdown } from '@/lib/config/shutdown'
import { pool } from '@/lib/db/pool'

const settleAfterMs = 5000

type Pending = { used: Map<string, Date>; timer: NodeJS.Timeout | undefined }
const pending = () =>
  remember<Pending>('oauth-secret-usage', () => {
    onShutdown('use of client secrets', settleSecretUse)
    return { used: new Map(), timer: undefined }
  })

/** Notes that a client secret was used. Counted in memory and written in batches: a token request waits for none of it. */
export function noteSecretUse(id: string): void {
  const state = pending()
  state.used.set(id, new Date())
  state.timer ??= setTimeout(() => {
    settleSecretUse().catch((error) => console.error(`secret usage was not written: ${error.message}`))
  }, settleAfterMs).unref()
}

/** Writes what was noted, in one statement. */
export async function settleSecretUse(): Promise<void> {
  const state = pending()
  clearTimeout(state.timer)
  state.timer = undefined
  const used = [...state.used]
  state.used.clear()
  if (used.length === 0) return
  await pool().query(
    `UPDATE oauth_client_secrets s SET last_used_at = GREATEST(s.last_used_at, n.used_at)
       FROM unnest($1::uuid[], $2::timestamptz[]) AS n(id, used_at) WHERE s.id = n.id`,
    [used.map(([id]) => id), used.map(([, at]) => at)],
  )
}
