'use client'
import { useSyncExternalStore } from 'react'
import type { Language } from '@/lib/base/language/languages'
import { cn } from './cn'
import { relativeTime } from './formats'

const subscribeToMinutes = (changed: () => void) => {
  const timer = setInterval(changed, 30_000)
  return () => clearInterval(timer)
}
/** Rounded up, so that a recent event is not in the future. */
const minuteNow = () => Math.ceil(Date.now() / 30_000) * 30_000

const never = () => () => {}

/**
 * Shows a time: relative, with the exact time in the reader's zone on hover. `at` is an ISO string or Date. `language`
 * defaults to English. The relative time is the same in every zone, so the server renders it and hydration does not
 * change it. The server renders the exact time in UTC, and the browser replaces it. Without JavaScript, both stay as
 * rendered.
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
    // A minute might pass, or clocks might differ, between the server's text and the browser's. The next minute corrects
    // it.
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
