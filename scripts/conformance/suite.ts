import { setTimeout as sleep } from 'node:timers/promises'

/** A module of a plan. A plan can contain the same module several times, with different variants. */
export type PlannedModule = { testModule: string; variant?: Record<string, string> }

/** The result of a module, and the conditions that failed or warned. */
export type ModuleResult = {
  module: string
  result: 'PASSED' | 'WARNING' | 'REVIEW' | 'SKIPPED' | 'FAILED'
  conditions: string[]
}

/** The state of a running module, and the actions that the module waits for. */
type Progress = {
  status: string
  /** The URLs that the user must open, each with its HTTP method. */
  open: { url: string; method: string }[]
}

type LogEntry = {
  result?: string
  src?: string
  msg?: string
  upload?: string
  img?: string
  response_status_code?: string
  response_headers?: Record<string, string>
}

/** The REST API of a running conformance suite. */
export class Suite {
  readonly #base: string

  /** @param base URL of the suite, such as `https://localhost:8443` */
  constructor(base: string) {
    this.#base = base.replace(/\/+$/, '')
  }

  get base(): string {
    return this.#base
  }

  /** Returns the version of the suite and the revision that the suite was built from. */
  async version(): Promise<string> {
    const { version, revision } = await this.#call<{ version: string; revision: string }>('GET', 'server')
    return `${version} (${revision})`
  }

  async createPlan(
    name: string,
    variant: object,
    config: object,
  ): Promise<{ id: string; modules: PlannedModule[] }> {
    const query = new URLSearchParams({ planName: name, variant: JSON.stringify(variant) })
    return this.#call('POST', `plan?${query}`, JSON.stringify(config))
  }

  /** Creates a module of a plan. The suite starts most modules by itself. @returns the module's ID */
  async createModule(plan: string, { testModule, variant }: PlannedModule): Promise<string> {
    const query = new URLSearchParams({ test: testModule, plan })
    if (variant) query.set('variant', JSON.stringify(variant))
    return (await this.#call<{ id: string }>('POST', `runner?${query}`)).id
  }

  /**
   * Starts a created module that waits until the runner has prepared something, for example rotated the
   * signing keys.
   */
  async start(module: string): Promise<void> {
    await this.#call('POST', `runner/${module}`)
  }

  async progress(module: string): Promise<Progress> {
    const { status } = await this.#info(module)
    if (status !== 'WAITING') return { status, open: [] }
    type Running = { browser?: { urlsWithMethod?: { url: string; method: string }[] } }
    const running = await this.#call<Running>('GET', `runner/${module}`).catch(() => undefined)
    return { status, open: running?.browser?.urlsWithMethod ?? [] }
  }

  /** Reports that the user opened a URL. */
  async visited(module: string, url: string): Promise<void> {
    await this.#call('POST', `runner/browser/${module}/visit?${new URLSearchParams({ url })}`)
  }

  /** Returns the names of the screenshots that a module still waits for. */
  async missingImages(module: string): Promise<string[]> {
    const log = await this.#call<LogEntry[]>('GET', `log/${module}`)
    return log.flatMap(({ upload, img }) => (upload && !img ? [upload] : []))
  }

  /** Uploads a screenshot. @param image a PNG of up to 500 KB */
  async uploadImage(module: string, name: string, image: Buffer): Promise<void> {
    const encoded = `data:image/png;base64,${image.toString('base64')}`
    await this.#call('POST', `log/${module}/images/${name}`, encoded, 'text/plain')
  }

  /**
   * Returns the result of a module. A module that did not finish, or that has an unknown result, counts as
   * failed.
   */
  async result(module: string, name: string): Promise<ModuleResult> {
    const { status, result } = await this.#info(module)
    const log = await this.#call<LogEntry[]>('GET', `log/${module}`)
    const conditions = log
      .filter((entry) => entry.result === 'FAILURE' || entry.result === 'WARNING')
      .map(({ src = '', msg = '' }) => `${src}: ${msg}`)
    const known = ['PASSED', 'WARNING', 'REVIEW', 'SKIPPED'] as const
    const ended = status === 'FINISHED' ? known.find((each) => each === result) : undefined
    return {
      module: name,
      result: ended ?? 'FAILED',
      conditions: ended || conditions.length > 0 ? conditions : [`The module ended as ${status}.`],
    }
  }

  /**
   * Returns the longest Retry-After of the product's 429 responses to a module, in seconds. A response
   * without this header counts as 60 seconds. Returns undefined if there was no 429 response.
   */
  async retryAfter(module: string): Promise<number | undefined> {
    const log = await this.#call<LogEntry[]>('GET', `log/${module}`)
    const waits = log
      .filter((entry) => entry.response_status_code?.startsWith('429'))
      .map(({ response_headers = {} }) => Number(response_headers['retry-after']) || 60)
    return waits.length > 0 ? Math.max(...waits) : undefined
  }

  #info(module: string): Promise<{ status: string; result?: string }> {
    return this.#call('GET', `info/${module}`)
  }

  /**
   * Sends a request. Tries a GET request up to three times.
   * @returns the parsed JSON, or the text of any other response
   * @throws Error with the suite's response if all attempts fail
   */
  async #call<T>(method: string, path: string, body?: string, type = 'application/json'): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const answer = await fetch(`${this.#base}/api/${path}`, {
        method,
        headers: { 'content-type': type },
        ...(body === undefined ? {} : { body }),
      })
      const text = await answer.text()
      if (answer.ok) return (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text) as T
      if (method !== 'GET' || attempt === 3) {
        throw new Error(
          `${method} ${path.split('?')[0]} responded with ${answer.status}: ${text.slice(0, 300)}`,
        )
      }
      await sleep(1_000)
    }
  }
}
