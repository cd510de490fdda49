/** When a job runs, in UTC: daily with an hour, hourly with only a minute, every minute with neither. */
export type Slot = { hour?: number; minute?: number }

/** The scheduled jobs, with their descriptions for instance admins. */
export const schedule = {
  'remove-expired': {
    slot: {},
    about: 'Removes codes, tokens and sign-in steps that are past their end.',
  },
  'remove-stale': {
    slot: { hour: 4, minute: 23 },
    about:
      'Removes rotated refresh tokens after a month, self-registered apps that nobody authorized, and old usage figures.',
  },
  'keep-used-tokens': {
    slot: { minute: 7 },
    about: 'Makes the table for the refresh tokens that are used next week, and drops those of a month ago.',
  },
  'note-queue': {
    slot: {},
    about: 'Counts what waits in the queue, for the chart under Activity.',
  },
  'warn-of-expiry': {
    slot: { minute: 17 },
    about: 'Tells people whose API tokens, or secrets of whose apps, expire within a week.',
  },
  'renew-domains': {
    slot: { minute: 53 },
    about:
      'Checks once a day that the domains of apps and SSO connections still have the record or file that proves them.',
  },
  'queue-deliveries': {
    slot: { minute: 47 },
    about: 'Queues messages to webhooks that were written down while there was no queue.',
  },
  'forget-deliveries': {
    slot: { hour: 3, minute: 41 },
    about: 'Drops what webhooks sent and received more than 30 days ago.',
  },
  'forget-audit': {
    slot: { hour: 3, minute: 11 },
    about:
      'Removes what the audit logs have kept for longer than AUDIT_DAYS, and what has waited for a stream for 30 days.',
  },
  'forget-projects': {
    slot: { minute: 37 },
    about: 'Removes deleted projects for good when they can no longer be restored.',
  },
  'forget-keys': {
    slot: { minute: 29 },
    about: 'Forgets Idempotency-Keys, and what was answered to them, a day after they were sent.',
  },
} as const satisfies Record<string, { slot: Slot; about: string }>

export type ScheduledJob = keyof typeof schedule

export const isScheduled = (name: string): name is ScheduledJob => Object.hasOwn(schedule, name)

/** Returns the slot as a cron expression. */
export const cronOf = ({ hour = '*', minute = '*' }: { [Part in keyof Slot]?: number | '*' }): string =>
  `${minute} ${hour} * * *`

/** Returns the next time of a slot, strictly after `now`. */
export function nextRun({ hour, minute }: Slot, now: Date): Date {
  const next = new Date(now)
  next.setUTCSeconds(0, 0)
  if (minute !== undefined) next.setUTCMinutes(minute)
  if (hour !== undefined) next.setUTCHours(hour)
  if (next > now) return next
  if (hour !== undefined) next.setUTCDate(next.getUTCDate() + 1)
  else if (minute !== undefined) next.setUTCHours(next.getUTCHours() + 1)
  else next.setUTCMinutes(next.getUTCMinutes() + 1)
  return next
}

/** Returns the last time of a slot, `now` included. */
export function lastRun({ hour, minute }: Slot, now: Date): Date {
  const last = new Date(now)
  last.setUTCSeconds(0, 0)
  if (minute !== undefined) last.setUTCMinutes(minute)
  if (hour !== undefined) last.setUTCHours(hour)
  if (last <= now) return last
  if (hour !== undefined) last.setUTCDate(last.getUTCDate() - 1)
  else last.setUTCHours(last.getUTCHours() - 1)
  return last
}
