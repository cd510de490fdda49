import { statement } from '@/lib/base/db/statement'

const forget = statement<{ id: string }, []>(
  'forget-webhook-deliveries',
  `DELETE FROM webhook_deliveries WHERE id IN (
     SELECT id FROM webhook_deliveries WHERE created_at < now() - interval '30 days' ORDER BY id LIMIT 1000)
   RETURNING id`,
)

/** Drops the log of deliveries older than 30 days, in portions that hold no lock for long. @returns how many */
export async function forgetDeliveries(): Promise<number> {
  for (let gone = 0; ; ) {
    const { length } = await forget()
    gone += length
    if (length < 1000) return gone
  }
}
