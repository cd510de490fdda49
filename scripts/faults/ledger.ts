import { setTimeout as sleep } from 'node:timers/promises'

/** One request and what became of it: a status, or the name of the error where there was no answer. */
export type Answer = { at: number; what: string; ms: number; path: string }

/** Where an app is in its line of refresh tokens. */
type Line = { clientId: string; refreshToken: string }

/** How long a request may take before nobody waits for it, in milliseconds. */
const patienceMs = 30_000

/** Between two requests of one line, in milliseconds. */
const pauseMs = 50

/**
 * Apps that refresh their tokens and use them, one after the other, as fast as they get answers, and a list of everything
 * that was acknowledged to them: an answer that arrived whole. What failed is tried again with the same token, as a client
 * would. At the end `lost` presents all that was acknowledged.
 */
export class Ledger {
  readonly answers: Answer[] = []
  readonly #lines: Line[]
  readonly #acknowledged: string[] = []
  readonly #refused: string[] = []
  #running: Promise<void>[] = []
  #stopping = false

  /**
   * @param base gives the address that the next request goes to
   * @param lines public clients and a refresh token each
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

  /** Ends it, after the requests under way. */
  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.all(this.#running)
  }

  /** How many tokens were acknowledged. */
  get acknowledged(): number {
    return this.#acknowledged.length
  }

  /** Presents everything that was acknowledged. @returns what does not work */
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

  /** Sends a request. Only an answer that has arrived whole has a status. */
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

/** How often each answer was given. */
export function tally(answers: Answer[]): string {
  const counts = new Map<string, number>()
  for (const { what } of answers) counts.set(what, (counts.get(what) ?? 0) + 1)
  return [...counts].map(([what, count]) => `${count.toLocaleString('en')} × ${what}`).join(', ')
}

/** What an outage of the database may look like. */
const asPromised = ['200', '503']

/** Answers given in an outage of the database that are neither good nor say so. */
export function toldOtherwise(answers: Answer[]): string[] {
  const odd = answers.filter(({ what }) => !asPromised.includes(what))
  return odd.length === 0 ? [] : [`an outage told as something else: ${tally(odd)}`]
}

/** The longest time in which nothing was answered 200, in milliseconds. */
export function longestGap(answers: Answer[]): number {
  const good = answers.filter(({ what }) => what === '200').map(({ at, ms }) => at + ms)
  good.sort((one, other) => one - other)
  return Math.max(0, ...good.slice(1).map((at, i) => at - (good[i] as number)))
}

/** How many milliseconds that share of the answers took at most. */
export function within(answers: Answer[], share: number): number {
  const sorted = answers.map(({ ms }) => ms).sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function nameOf(error: unknown): string {
  const { name, code, cause } = error as { name?: string; code?: string; cause?: unknown }
  return code && typeof code === 'string' ? code : cause ? nameOf(cause) : (name ?? 'error')
}
