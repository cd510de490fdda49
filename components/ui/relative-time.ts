const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** "3 hours ago", "in 2 weeks", "just now": in the largest unit that is at least one. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000)
  const step = steps.find(([, size]) => Math.abs(seconds) >= size)
  if (!step) return seconds <= 0 ? 'just now' : 'in under a minute'
  return words.format(Math.trunc(seconds / step[1]), step[0])
}
