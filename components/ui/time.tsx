'use client'
import { useSyncExternalStore } from 'react'
import type { Language } from '@/lib/base/language/languages'
import { cn } from './cn'
import { calendarTime, exactTime, relativeTime } from './formats'

const subscribeToMinutes = (changed: () => void) => {
  const timer = setInterval(changed, 30_000)
  return () => clearInterval(timer)
}
/**
 * Returns the current time, rounded up to the next half minute. If the time were rounded down, a recent event
 * would appear to be in the future.
 */
const minuteNow = () => Math.ceil(Date.now() / 30_000) * 30_000

const never = () => () => {}

/**
 * Shows a relative time, with the exact time in the reader's zone on hover. With `absolute`, shows the date
 * and time, with the relative and the exact time on hover. `at` is an ISO string or a Date. `language` is the
 * language of the relative time and defaults to English. The browser updates the relative time every half
 * minute. The relative time is the same in every zone, so hydration keeps the server's text. The server
 * renders the other times in UTC, and the browser replaces them. Without JavaScript, all times stay as
 * rendered.
 */
export function Time({
  at,
  language,
  absolute = false,
  capital = false,
  className,
}: {
  at: string | Date
  language?: Language
  absolute?: boolean
  /** Whether a relative time starts with a capital letter, for a cell of a table. */
  capital?: boolean
  className?: string
}) {
  const moment = typeof at === 'string' ? new Date(at) : at
  const now = useSyncExternalStore(subscribeToMinutes, minuteNow, minuteNow)
  const zoneIsKnown = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const iso = moment.toISOString()
  const exact = zoneIsKnown ? exactTime(moment) : `${iso.slice(0, 16).replace('T', ' ')} UTC`
  const relative = relativeTime(moment.getTime(), now, language)
  return (
    // The browser's text might differ from the server's, because time passes between the two renderings and
    // the clocks might differ. React must not report this difference. The next update corrects the text.
    <time
      dateTime={iso}
      title={absolute ? `${relative}, ${exact}` : exact}
      className={cn(
        'whitespace-nowrap',
        absolute && 'tabular-nums',
        capital && 'inline-block first-letter:uppercase',
        className,
      )}
      suppressHydrationWarning
    >
      {absolute ? calendarTime(moment, now, zoneIsKnown ? undefined : 'UTC') : relative}
    </time>
  )
}
