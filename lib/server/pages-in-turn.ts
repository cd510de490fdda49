import type { ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { policyHeader } from './content-security-policy'
import type { NodeHandler } from './dispatch'

/** When the event loop has had nothing to do for so long since a page was begun, in milliseconds, the next may be. */
const idleMs = 10

/** And after so long in any case. */
const longestMs = 1_000

/**
 * Has pages drawn one after the other for as long as drawing is what they wait for: many that are drawn at once have every token
 * request wait for a piece of each of them, at every step it takes. While those that were begun wait for the database, a
 * password's hash or a slow client, the event loop is idle, and the next is begun.
 * See decision 179.
 * @param render draws pages; what was given no policy of a page (set-page-policy.ts), such as a file, goes to it at once
 */
export function pagesInTurn(render: NodeHandler): NodeHandler {
  const line: (() => void)[] = []
  let last:
    | { res: ServerResponse; at: number; loop: ReturnType<typeof performance.eventLoopUtilization> }
    | undefined
  let looking: NodeJS.Timeout | undefined

  const isFree = (): boolean =>
    last === undefined ||
    performance.eventLoopUtilization(last.loop).idle >= idleMs ||
    performance.now() - last.at >= longestMs

  const next = (): void => {
    line.shift()?.()
    if (line.length > 0) return
    clearInterval(looking)
    looking = undefined
  }

  const begin = (res: ServerResponse): void => {
    last = { res, at: performance.now(), loop: performance.eventLoopUtilization() }
    res.once('close', () => {
      if (last?.res !== res) return
      last = undefined
      next()
    })
  }

  return async (req, res) => {
    if (req.headers[policyHeader] === undefined) return render(req, res)
    if (line.length > 0 || !isFree()) {
      looking ??= setInterval(() => isFree() && next(), idleMs).unref()
      await new Promise<void>((resolve) => line.push(resolve))
    }
    // Who has left meanwhile needs no page.
    if (res.destroyed) return next()
    begin(res)
    return render(req, res)
  }
}
