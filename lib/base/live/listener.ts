import { config } from '@/lib/base/config/env'
import { connectionSettings, PrimaryClient } from '@/lib/base/db/primary'
import { statement } from '@/lib/base/db/statements'
import { log } from '@/lib/base/log/log'
import { outsideRequests } from '@/lib/base/log/request-scope'
import { onShutdown } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import { collect } from '@/lib/base/process/tally'

/**
 * The object that a change affects, such as `workspace:` followed by an ID. Up to 100 characters, without
 * spaces.
 */
export type Topic = `${string}:${string}`

/** The PostgreSQL channel for notifications. */
const channel = 'latchkey_live'
/** The application name of listening connections. */
const listenerName = 'latchkey live'

/**
 * The maximum number of topics in a notification, which must be shorter than 8,000 bytes (PostgreSQL,
 * NOTIFY).
 */
const topicsAtOnce = 70

/**
 * Notifies listeners only if a connection is listening. The statement only reads the list of current
 * connections and writes nothing.
 */
const notify = statement<{ sent: string }, [string[]]>(
  'ring',
  `SELECT pg_notify('${channel}', topics)::text AS sent FROM unnest($1::text[]) topics
    WHERE EXISTS (SELECT 1 FROM pg_stat_activity
                   WHERE application_name = '${listenerName}' AND datname = current_database())`,
)

async function tellAll(rung: ReadonlyMap<Topic, true>): Promise<void> {
  const topics = [...rung.keys()]
  const messages: string[] = []
  for (let at = 0; at < topics.length; at += topicsAtOnce) {
    messages.push(topics.slice(at, at + topicsAtOnce).join(' '))
  }
  await notify(messages)
}

const options = {
  merge: () => true as const,
  write: tellAll as (rung: ReadonlyMap<string, true>) => Promise<void>,
}
const soon = collect<true>('bells', { afterMs: 50, ...options })
const onceMore = collect<true>('bells, once more', { afterMs: 500, ...options })

/**
 * Announces a change that was written, or that a running transaction is about to commit. Followers read the
 * feed a moment later, and again after half a second, when the transaction has usually ended. If the
 * transaction takes longer, the followers find the change when they poll. The announcement is not part of the
 * transaction, because PostgreSQL commits transactions that send notifications one after the other. See
 * ADR 0014.
 */
export function announceChange(topic: Topic): void {
  soon.add(topic, true)
  onceMore.add(topic, true)
}

/** The first and the longest pause before reconnecting, in milliseconds. */
const pauses = { first: 500, longest: 30_000 }

/** The interval at which the connection is checked, in milliseconds. */
const proveMs = 10_000
/** The maximum duration of a check or another query on the connection, in milliseconds. */
const answerMs = 5_000

type Wake = () => void

type State = {
  waiting: Map<Topic, Set<Wake>>
  client?: PrimaryClient | undefined
  timer?: NodeJS.Timeout | undefined
  proving?: NodeJS.Timeout | undefined
}

/**
 * Returns the state that all listeners in this process share, such as the connection. Next bundles a second
 * copy of this module, so a module variable would exist twice.
 */
const state = () =>
  remember<State>('live-listener', () => {
    onShutdown('listening for changes', async () => close())
    return { waiting: new Map() }
  })

/**
 * Returns whether LISTEN works. It does not work through a pooler in transaction mode, unless
 * DATABASE_DIRECT_URL is set.
 */
const canListen = (): boolean => config().preparesStatements || config().DATABASE_DIRECT_URL !== undefined

/**
 * Registers a function that is called when this or another process announces a change of a topic, and when
 * the connection opens. If LISTEN does not work, the function is never called. If a notification is lost, no
 * change is missed, because followers also poll (follow.ts).
 * @param wake the function, which must return immediately
 * @returns a function that removes the listener, and closes the connection if no listeners remain
 */
export function onTopicChange(topic: Topic, wake: Wake): () => void {
  const { waiting } = state()
  const wakes = waiting.get(topic) ?? new Set()
  waiting.set(topic, wakes)
  wakes.add(wake)
  if (canListen()) outsideRequests(() => open(pauses.first))
  return () => {
    wakes.delete(wake)
    if (wakes.size === 0 && waiting.get(topic) === wakes) waiting.delete(topic)
    if (waiting.size === 0) close()
  }
}

/**
 * Opens the connection unless it is open or will be reopened. Reconnects as long as listeners exist, and
 * wakes all listeners when the connection is open, because notifications could have been lost.
 * @param pauseMs the pause before the next attempt if this attempt fails; doubles with each failure, up to
 * `pauses.longest`
 */
function open(pauseMs: number): void {
  const current = state()
  if (current.client || current.timer) return
  const { DATABASE_DIRECT_URL, DATABASE_URL } = config()
  const client = new PrimaryClient({
    ...connectionSettings(undefined, DATABASE_DIRECT_URL ?? DATABASE_URL),
    application_name: listenerName,
    query_timeout: answerMs,
  })
  current.client = client
  const lost = (error?: Error) => {
    if (current.client !== client) return
    current.client = undefined
    clearInterval(current.proving)
    void client.end().catch(() => undefined)
    if (current.waiting.size === 0) return
    log.warn('changes cannot be received until the database answers', {
      nextTryInSeconds: pauseMs / 1000,
      error,
    })
    current.timer = setTimeout(() => {
      current.timer = undefined
      open(Math.min(pauseMs * 2, pauses.longest))
    }, pauseMs).unref()
  }
  client.on('error', lost)
  client.on('end', () => lost())
  client.on('notification', ({ payload = '' }) => {
    for (const topic of payload.split(' ')) wakeAll(current.waiting.get(topic as Topic))
  })
  client
    .connect()
    .then(() => client.query(`LISTEN ${channel}`))
    .then(() => {
      // If the last listener stopped before the connection was open, close the connection.
      if (current.client !== client) return client.end()
      pauseMs = pauses.first
      // Check the connection regularly, because a network failure might not cause an error. Without this
      // check, the process could wait indefinitely for notifications on a dead connection.
      current.proving = setInterval(() => void client.query('SELECT 1').catch(lost), proveMs).unref()
      for (const wakes of current.waiting.values()) wakeAll(wakes)
      return undefined
    })
    .catch(lost)
}

const wakeAll = (wakes: Iterable<Wake> = []): void => {
  for (const wake of [...wakes]) wake()
}

function close(): void {
  const current = state()
  const { client } = current
  current.client = undefined
  clearTimeout(current.timer)
  current.timer = undefined
  clearInterval(current.proving)
  void client?.end().catch(() => undefined)
}
