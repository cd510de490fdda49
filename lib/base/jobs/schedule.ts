/**
 * The times at which a scheduled job runs, in UTC: daily if both the hour and the minute are set, hourly if
 * only the minute is set, and every minute if neither is set.
 */
export type Slot = { hour?: number; minute?: number }

/** The scheduled jobs, with their titles and descriptions for instance admins. */
export const schedule = {
  'remove-expired': {
    title: 'Remove expired sign-ins and tokens',
    slot: {},
    about: 'Also removes codes and unfinished sign-in steps.',
  },
  'remove-stale': {
    title: 'Remove unused data',
    slot: { hour: 4, minute: 23 },
    about:
      'Rotated refresh tokens after a month, self-registered apps that no user authorized, and old usage figures.',
  },
  'keep-used-tokens': {
    title: 'Rotate the tables of used tokens',
    slot: { minute: 7 },
    about: 'Adds a table for each week and drops tables older than a month.',
  },
  'note-queue': {
    title: 'Count waiting jobs',
    slot: {},
    about: 'For the chart under Activity.',
  },
  'warn-of-expiry': {
    title: 'Notify about expiring tokens and secrets',
    slot: { minute: 17 },
    about: 'From one week before they expire.',
  },
  'renew-domains': {
    title: 'Recheck verified domains',
    slot: { minute: 53 },
    about: 'Each domain once a day.',
  },
  'queue-deliveries': {
    title: 'Queue missed webhook deliveries',
    slot: { minute: 47 },
    about: 'Events recorded while the queue was unavailable.',
  },
  'forget-deliveries': {
    title: 'Delete old webhook deliveries',
    slot: { hour: 3, minute: 41 },
    about: 'Deliveries older than 30 days.',
  },
  'forget-audit': {
    title: 'Delete old audit log events',
    slot: { hour: 3, minute: 11 },
    about: 'Events older than AUDIT_DAYS, and stream events that waited for 30 days.',
  },
  'forget-projects': {
    title: 'Delete projects permanently',
    slot: { minute: 37 },
    about: 'Deleted projects that can no longer be restored.',
  },
  'forget-keys': {
    title: 'Delete idempotency keys',
    slot: { minute: 29 },
    about: 'Keys and their responses, after one day.',
  },
} as const satisfies Record<string, { title: string; slot: Slot; about: string }>

export type ScheduledJob = keyof typeof schedule

export const isScheduled = (name: string): name is ScheduledJob => Object.hasOwn(schedule, name)

/** Returns the slot as a cron expression. */
export const cronOf = ({ hour = '*', minute = '*' }: { [Part in keyof Slot]?: number | '*' }): string =>
  `${minute} ${hour} * * *`

/** Returns the first time after `now` at which a slot's job is due. */
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

/** Returns the latest time at or before `now` at which a slot's job was due. */
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
