'use client'
import { useSyncExternalStore } from 'react'
import type { Language } from '@/lib/base/language/languages'
import { cn } from './cn'
import { relativeTime } from './formats'

const subscribeToMinutes = (changed: () => void) => {
  const timer = setInterval(changed, 30_000)
  return () => clearInterval(timer)
}
/** Rounded up, so that what has only just happened does not lie ahead. */
const minuteNow = () => Math.ceil(Date.now() / 30_000) * 30_000

const never = () => () => {}

/**
 * A moment: relative, with the exact time in the reader's zone on hover. `at` is an ISO string or Date. `language` is that of
 * the words, English without it.
 * How long ago it was is the same in every zone, so the server writes it and nothing moves when the page wakes up; of the
 * exact time it knows UTC alone, which the browser replaces. Without JavaScript both stay as they were written.
 */
export function Time({
  at,
  language,
  className,
}: {
  at: string | Date
  language?: Language
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
  const exact = zoneIsKnown
    ? moment.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' })
    : `${iso.slice(0, 16).replace('T', ' ')} UTC`
  return (
    // A minute may pass, or clocks may differ, between the server's words and the browser's: the next minute mends it.
    <time
      dateTime={iso}
      title={exact}
      className={cn('whitespace-nowrap', className)}
      suppressHydrationWarning
    >
      {relativeTime(moment.getTime(), now, language)}
    </time>
  )
}
