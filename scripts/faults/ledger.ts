import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A request and its result: the status, or the code or name of the error if there was no complete response.
 */
export type Answer = { at: number; what: string; ms: number; path: string }

/** A client and its current refresh token. */
type Line = { clientId: string; refreshToken: string }

/** The timeout of a request, in milliseconds. */
const patienceMs = 30_000

/**
 * The pause after each round of a line, in milliseconds. A round is a refresh and a use of an access token.
 */
const pauseMs = 50

/**
 * Runs apps that continuously refresh and use their tokens. Records every acknowledged access token, which is
 * an access token in a complete response. A failed refresh is retried with the same token, unless the server
 * rejects the token with 400. At the end, `lost` tests all acknowledged access tokens and the last refresh
 * tokens.
 */
export class Ledger {
  readonly answers: Answer[] = []
  readonly #lines: Line[]
  readonly #acknowledged: string[] = []
  readonly #refused: string[] = []
  #running: Promise<void>[] = []
  #stopping = false

  /**
   * @param base returns the URL for the next request
   * @param lines public clients, each with a refresh token
   */
  constructor(
    readonly base: () => string,
    lines: Line[],
  ) {
    this.#lines = lines.map((line) => ({ ...line }))
  }

  start(): void {
    this.#stopping = false
    this.#running = this.#lines.map((line) => this.#follow(line))
  }

  /** Stops each line after its current round. */
  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.all(this.#running)
  }

  /** Returns the number of acknowledged access tokens. */
  get acknowledged(): number {
    return this.#acknowledged.length
  }

  /**
   * Tests every acknowledged access token and the last refresh token of each line.
   * @returns a description of each token that does not work or that the server rejected under load
   */
  async lost(): Promise<string[]> {
    const lost = [...this.#refused]
    for (const line of this.#lines) {
      const { what } = await this.#refresh(line)
      if (what !== '200') lost.push(`the last refresh token of a line: ${what}`)
    }
    const left = [...this.#acknowledged]
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let token = left.pop(); token !== undefined; token = left.pop()) {
          const { what } = await this.#send('/oauth/me', { headers: { authorization: `Bearer ${token}` } })
          if (what !== '200') lost.push(`an access token: ${what}`)
        }
      }),
    )
    return lost
  }

  async #follow(line: Line): Promise<void> {
    while (!this.#stopping) {
      const refreshed = await this.#refresh(line)
      this.answers.push(refreshed)
      if (refreshed.what === '400') {
        this.#refused.push('a refresh token, under load: 400')
        return
      }
      const token = this.#acknowledged.at(-1)
      if (refreshed.what === '200' && token) {
        const used = await this.#send('/oauth/me', { headers: { authorization: `Bearer ${token}` } })
        this.answers.push(used)
        if (used.what === '401') this.#refused.push('an access token, under load: 401')
      }
      await sleep(pauseMs)
    }
  }

  async #refresh(line: Line): Promise<Answer> {
    const { clientId, refreshToken } = line
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: refreshToken,
    })
    const answer = await this.#send('/oauth/token', { method: 'POST', body })
    if (answer.what === '200') {
      const { access_token, refresh_token } = JSON.parse(answer.text)
      this.#acknowledged.push(access_token)
      line.refreshToken = refresh_token
    }
    return answer
  }

  /** Sends a request. The result is a status only if the response is complete. */
  async #send(path: string, init: RequestInit): Promise<Answer & { text: string }> {
    const at = performance.now()
    const done = (what: string, text = '') => ({ at, what, ms: performance.now() - at, path, text })
    try {
      const answer = await fetch(`${this.base()}${path}`, {
        ...init,
        signal: AbortSignal.timeout(patienceMs),
      })
      return done(String(answer.status), await answer.text())
    } catch (error) {
      return done(nameOf(error))
    }
  }
}

/** Returns how often each result occurred, as text. */
export function countResults(answers: Answer[]): string {
  const counts = new Map<string, number>()
  for (const { what } of answers) counts.set(what, (counts.get(what) ?? 0) + 1)
  return [...counts].map(([what, count]) => `${count.toLocaleString('en')} × ${what}`).join(', ')
}

/** The acceptable results during a database outage. */
const asPromised = ['200', '503']

/** Returns a description of all results that are unexpected during a database outage, or an empty array. */
export function unexpectedResults(answers: Answer[]): string[] {
  const odd = answers.filter(({ what }) => !asPromised.includes(what))
  return odd.length === 0 ? [] : [`an outage reported as something else: ${countResults(odd)}`]
}

/**
 * Returns the longest time between two consecutive 200 responses, in milliseconds, or 0 if there are fewer
 * than two.
 */
export function longestGap(answers: Answer[]): number {
  const good = answers.filter(({ what }) => what === '200').map(({ at, ms }) => at + ms)
  good.sort((one, other) => one - other)
  return Math.max(0, ...good.slice(1).map((at, i) => at - (good[i] as number)))
}

/**
 * Returns a percentile of the response times, in milliseconds, or NaN if there are no response times.
 * @param share the percentile as a number from 0 to 1
 */
export function percentileMs(answers: Answer[], share: number): number {
  const sorted = answers.map(({ ms }) => ms).sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function nameOf(error: unknown): string {
  const { name, code, cause } = error as { name?: string; code?: string; cause?: unknown }
  return code && typeof code === 'string' ? code : cause ? nameOf(cause) : (name ?? 'error')
}
