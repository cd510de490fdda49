import type pg from 'pg'
import { tellLost } from './database-errors'
import { runNamed } from './named-statements'
import { silenceMs } from './primary'
import { giveUpOthers, noteConnection } from './watch'

/** How the driver says that `query_timeout` has passed. */
const tooLate = 'Query read timeout'

type Shared = { client: pg.Client; opening: Promise<unknown> | undefined; forget: () => void }

/** A few connections that many requests read over at the same time: each is opened when it is first needed. */
export class SharedConnections {
  readonly #places: (Shared | undefined)[]
  readonly #make: () => pg.Client
  #turn = 0

  /** @param make a connection that is not opened yet, and pipelines what it is sent */
  constructor(count: number, make: () => pg.Client) {
    this.#places = new Array<Shared | undefined>(count).fill(undefined)
    this.#make = make
  }

  get count(): number {
    return this.#places.length
  }

  /**
   * Runs a named statement over the connection whose turn it is.
   * @returns the rows
   * @throws what keeps the connection from being opened; what the driver throws
   */
  async run<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    this.#turn = (this.#turn + 1) % this.count
    const shared = this.#places[this.#turn] ?? this.#open(this.#turn)
    if (shared.opening) await shared.opening
    try {
      return await runNamed<Row>(shared.client, name, text, values)
    } catch (error) {
      if ((error as Error).message === tooLate) {
        shared.forget()
        giveUpOthers(shared.client, silenceMs())
      }
      throw error
    }
  }

  #open(place: number): Shared {
    const client = this.#make()
    const forget = () => {
      if (this.#places[place] === shared) this.#places[place] = undefined
    }
    const opening = client.connect().then(
      () => {
        shared.opening = undefined
        noteConnection(client, () => true, forget)
      },
      (error) => {
        forget()
        throw error
      },
    )
    const shared: Shared = { client, opening, forget }
    client.on('end', forget)
    client.on('error', (error) => {
      forget()
      tellLost(error)
    })
    this.#places[place] = shared
    return shared
  }

  /** Closes the connections, once what is under way has been answered. */
  async end(): Promise<void> {
    const opened = this.#places.filter((shared) => shared !== undefined)
    this.#places.fill(undefined)
    await Promise.all(
      opened.map(async ({ client, opening }) => {
        await opening?.catch(() => undefined)
        await client.end()
      }),
    )
  }
}
