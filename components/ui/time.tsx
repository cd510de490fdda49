'use client'
import { useSyncExternalStore } from 'react'
import { cn } from './cn'
import { relativeTime } from './relative-time'

const subscribeToMinutes = (changed: () => void) => {
  const timer = setInterval(changed, 30_000)
  return () => clearInterval(timer)
}
/** Rounded up, so that what has only just happened does not lie ahead. */
const minuteNow = () => Math.ceil(Date.now() / 30_000) * 30_000

/**
 * A moment: relative, with the exact time in the reader's zone on hover. `at` is an ISO string or Date.
 * The server knows neither zone nor clock of the reader, so it writes the UTC date, and the browser puts the rest
 * after hydration; without JavaScript the UTC date stays.
 */
export function Time({ at, className }: { at: string | Date; className?: string }) {
  const moment = typeof at === 'string' ? new Date(at) : at
  const now = useSyncExternalStore(subscribeToMinutes, minuteNow, () => null)
  const iso = moment.toISOString()
  const exact =
    now === null
      ? `${iso.slice(0, 16).replace('T', ' ')} UTC`
      : moment.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' })
  return (
    <time dateTime={iso} title={exact} className={cn('whitespace-nowrap', className)}>
      {now === null ? iso.slice(0, 10) : relativeTime(moment.getTime(), now)}
    </time>
  )
}
