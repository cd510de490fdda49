/** The units of past times, each with its length in seconds. */
const pastSteps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/**
 * The units of future times, each with its length in seconds and the rounded number from which the next unit
 * is used.
 */
const futureSteps: [Intl.RelativeTimeFormatUnit, number, number][] = [
  ['minute', 60, 60],
  ['hour', 3_600, 24],
  ['day', 86_400, 91],
  ['month', 2_629_800, 24],
  ['year', 31_557_600, Infinity],
]

const english = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/**
 * Returns a relative time: "3 hours ago", "in 90 days", "just now". A past time is in the largest unit that
 * has passed completely. A future time is rounded and is in days for about three months, so that a token
 * created for 90 days expires "in 90 days".
 * @param language a BCP 47 tag; the default is English
 */
export function relativeTime(at: number, now: number, language = 'en'): string {
  const seconds = Math.round((at - now) / 1000)
  const words = language === 'en' ? english : new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  if (Math.abs(seconds) < 60) {
    if (words !== english) return words.format(0, 'second')
    return seconds <= 0 ? 'just now' : 'in under a minute'
  }
  const [unit, size] = (
    seconds < 0
      ? pastSteps.find(([, size]) => -seconds >= size)
      : futureSteps.find(([, size, end]) => Math.round(seconds / size) < end)
  ) as [Intl.RelativeTimeFormatUnit, number]
  return words.format(seconds < 0 ? Math.trunc(seconds / size) : Math.round(seconds / size), unit)
}

/** The formatters by their locale and options. Creating a formatter takes much longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>()

/** Formats a time. @param locale a BCP 47 tag; undefined for the reader's locale */
function format(locale: string | undefined, options: Intl.DateTimeFormatOptions, at: Date | number): string {
  const key = JSON.stringify([locale, options])
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formatters.set(key, formatter)
  return formatter.format(at)
}

/** Formats a time with seconds and the zone, in the reader's locale and time zone. */
export const exactTime = (at: Date): string =>
  format(undefined, { dateStyle: 'medium', timeStyle: 'long' }, at)

/**
 * Formats a time as "23 Oct, 14:02". The year is added if it is not the year of `now`.
 * @param zone the time zone; if omitted, the reader's time zone
 */
export function calendarTime(at: Date, now: number, zone?: string): string {
  const timeZone = zone === undefined ? {} : { timeZone: zone }
  const yearOf = (time: Date | number) => format('en-GB', { year: 'numeric', ...timeZone }, time)
  return format(
    'en-GB',
    {
      day: 'numeric',
      month: 'short',
      ...(yearOf(at) === yearOf(now) ? {} : { year: 'numeric' }),
      hour: '2-digit',
      minute: '2-digit',
      ...timeZone,
    },
    at,
  )
}

/** Returns a number with the right form of its noun: "1 user", "1,204 users". */
export const counted = (number: number, one: string, several: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : several}`
