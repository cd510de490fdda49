import { statement } from '@/lib/base/db/statement'
import { remember } from '@/lib/base/process/remember'
import { settleLater } from '@/lib/base/process/settle-later'

/** When each secret was last used, as far as it is not written yet. */
const used = () => remember('oauth-secret-usage', () => new Map<string, Date>())

const noteUse = statement<never, [ids: string[], usedAt: Date[]]>(
  'note-client-secret-use',
  `UPDATE oauth_client_secrets s SET last_used_at = GREATEST(s.last_used_at, n.used_at)
     FROM unnest($1::uuid[], $2::timestamptz[]) AS n(id, used_at) WHERE s.id = n.id`,
)

const settling = settleLater('use of client secrets', 5_000, async () => {
  const due = [...used()]
  used().clear()
  if (due.length === 0) return
  await noteUse(
    due.map(([id]) => id),
    due.map(([, at]) => at),
  )
})

/** Notes that a client secret was used. Kept in memory and written in batches: a token request waits for none of it. */
export function noteSecretUse(id: string): void {
  used().set(id, new Date())
  settling.soon()
}
