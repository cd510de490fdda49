import { statement } from '@/lib/base/db/statement'
import { gather } from '@/lib/base/process/gather'

/** What a change is about, as those who follow it name it: `workspace:` and its id, say. At most 100 characters without a space. */
export type Topic = `${string}:${string}`

/** The channel of PostgreSQL, and the name by which a connection that listens is known to the others. */
export const channel = 'latchkey_live'
export const listenerName = 'latchkey live'

/** A notification holds less than 8,000 bytes (PostgreSQL, NOTIFY). */
const topicsAtOnce = 70

/** Tells nobody where nobody listens: it costs a look at who is connected then, and no write. */
const tell = statement<{ told: string }, [string[]]>(
  'ring',
  `SELECT pg_notify('${channel}', topics)::text AS told FROM unnest($1::text[]) topics
    WHERE EXISTS (SELECT 1 FROM pg_stat_activity
                   WHERE application_name = '${listenerName}' AND datname = current_database())`,
)

async function tellAll(rung: ReadonlyMap<Topic, true>): Promise<void> {
  const topics = [...rung.keys()]
  const messages: string[] = []
  for (let at = 0; at < topics.length; at += topicsAtOnce) {
    messages.push(topics.slice(at, at + topicsAtOnce).join(' '))
  }
  await tell(messages)
}

const options = {
  merge: () => true as const,
  write: tellAll as (rung: ReadonlyMap<string, true>) => Promise<void>,
}
const soon = gather<true>('bells', { afterMs: 50, ...options })
const onceMore = gather<true>('bells, once more', { afterMs: 500, ...options })

/**
 * Says that something was written, or is being written in a transaction under way. Those who follow it look a moment later, and
 * again after half a second, when the transaction has ended; what took longer they find when they look by themselves. Not in the
 * transaction: PostgreSQL lets those that notify commit only one after the other. See decision 186.
 */
export function ring(topic: Topic): void {
  soon.add(topic, true)
  onceMore.add(topic, true)
}
