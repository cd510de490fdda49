const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const english = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/**
 * Returns a relative time in the largest suitable unit: "3 hours ago", "in 2 weeks", "just now".
 * @param language a BCP 47 tag; the default is English
 */
export function relativeTime(at: number, now: number, language = 'en'): string {
  const seconds = Math.round((at - now) / 1000)
  const step = steps.find(([, size]) => Math.abs(seconds) >= size)
  const words = language === 'en' ? english : new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  if (!step && words !== english) return words.format(0, 'second')
  if (!step) return seconds <= 0 ? 'just now' : 'in under a minute'
  return words.format(Math.trunc(seconds / step[1]), step[0])
}

/**
 * Formats a time as "23 Oct, 14:02". The year is added if it is not the year of `now`.
 * @param zone the time zone; if omitted, the reader's time zone
 */
export function calendarTime(at: Date, now: number, zone?: string): string {
  const timeZone = zone === undefined ? {} : { timeZone: zone }
  const yearOf = new Intl.DateTimeFormat('en-GB', { year: 'numeric', ...timeZone })
  return at.toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(yearOf.format(at) === yearOf.format(now) ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    ...timeZone,
  })
}

/** Returns a number with the right form of its noun: "1 user", "1,204 users". */
export const counted = (number: number, one: string, several: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : several}`
