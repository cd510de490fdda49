import { divertLog } from '@/lib/base/log/log'

/** What an entry holds, parsed. */
type Entry = Record<string, unknown> & { level: string; msg: string; requestId?: string }

/**
 * Keeps the log of this process, all levels of it, instead of printing it.
 * @returns `entries` so far, their `text` as it would be printed, and `release`, after which it is printed again
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
