import { divertLog } from '@/lib/base/log/log'

/** A parsed log entry. */
type Entry = Record<string, unknown> & { level: string; msg: string; requestId?: string }

/**
 * Captures the log of this process at all levels.
 * @returns functions that return the `entries` so far and their `text`, and `release`, which stops capturing
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
