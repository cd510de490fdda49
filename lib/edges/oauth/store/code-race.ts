import { tokenStatement } from '@/lib/base/db/statement'
import { remember } from '@/lib/base/process/remember'

/**
 * Tells the loser of a race for a code from somebody who presents it again. Both come when it is consumed; the first was
 * on its way before anybody could have had an answer, and ends nothing.
 *
 * What counts is when a request arrived, by the database's clock, which the code was consumed by. A burst from a client
 * with many threads takes longer to arrive than the first of it takes to be answered, so a request belongs to the same race
 * when it arrived, or the connection was opened that it is the first on, while another with its code was being answered.
 */

/** A race that goes on for longer is none: nobody can keep a code from being a replay by asking again and again. */
const longestRaceMs = 10_000

/** When a request arrived, and when the connection was opened that it is the first on, by `performance.now()`. */
export type Arrival = { at: number; sentFrom: number | undefined }

type UnderWay = { requests: number; endedAt: number }
const underWay = () => remember('oauth-code-races', () => new Map<string, UnderWay>())

const wasConsumedSince = tokenStatement<{ since: boolean; race: boolean }, [Buffer, number]>(
  'oauth-code-race',
  `SELECT consumed_at >= clock_timestamp() - $2 * interval '1 millisecond' AS since,
          consumed_at >= clock_timestamp() - ${longestRaceMs} * interval '1 millisecond' AS race
     FROM ONLY oauth_artifacts WHERE hash = $1`,
)

/** One request for the tokens of a code. */
export class Redemption {
  readonly #code: string
  /** Whether another was being answered when this one was sent. */
  readonly #overlaps: boolean

  constructor(
    readonly hash: Buffer,
    readonly arrival: Arrival,
  ) {
    this.#code = hash.toString('base64')
    const codes = underWay()
    const others = codes.get(this.#code)
    this.#overlaps =
      others !== undefined && (others.requests > 0 || others.endedAt >= (arrival.sentFrom ?? arrival.at))
    codes.set(this.#code, { requests: (others?.requests ?? 0) + 1, endedAt: others?.endedAt ?? 0 })
  }

  /** Whether this request lost a race for its code, which is consumed. */
  async lostRace(): Promise<boolean> {
    const [row] = await wasConsumedSince(this.hash, performance.now() - this.arrival.at)
    return row !== undefined && (row.since || (this.#overlaps && row.race))
  }

  /** The answer is about to leave. */
  end(): void {
    const codes = underWay()
    const entry = codes.get(this.#code)
    if (!entry) return
    const endedAt = performance.now()
    Object.assign(entry, { requests: entry.requests - 1, endedAt })
    const forget = () => {
      if (entry.requests === 0 && entry.endedAt === endedAt) codes.delete(this.#code)
    }
    setTimeout(forget, longestRaceMs).unref()
  }
}
