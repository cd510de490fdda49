import { divertLog } from '@/lib/base/log/log'

/** A parsed entry. */
type Entry = Record<string, unknown> & { level: string; msg: string; requestId?: string }

/**
 * Captures the log of this process at all levels.
 * @returns the `entries` so far, their `text` as it would be printed, and `release`, which restores printing
 */
export function captureLog() {
  let text = ''
  const release = divertLog({ write: (line) => (text += line) })
  return {
    text: () => text,
    entries: (): Entry[] =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    release,
  }
}
