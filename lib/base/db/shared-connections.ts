import type pg from 'pg'
import { logLostConnection } from './database-errors'
import { silenceMs } from './primary'
import { closeIdleConnections, trackConnection } from './watch'

/** The driver's message when `query_timeout` has passed. */
const timedOut = 'Query read timeout'

type Slot = { client: pg.Client; opening: Promise<unknown> | undefined; clear: () => void }

/**
 * A few connections that many requests use at the same time, each opened on first use. Taking a connection from a pool and
 * giving it back costs a request more than sending a statement. A lost connection fails the statements that wait on it; the
 * next statement opens another. See decision 055.
 */
export class SharedConnections {
  readonly #slots: (Slot | undefined)[]
  readonly #make: () => pg.Client
  #turn = 0

  /** @param make returns a connection that is not open yet and pipelines what it sends */
  constructor(count: number, make: () => pg.Client) {
    this.#slots = new Array<Slot | undefined>(count).fill(undefined)
    this.#make = make
  }

  /**
   * Runs work on the connections in rotation.
   * @returns what the work returns
   * @throws what the work throws, or the reason the connection does not open
   */
  async run<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    this.#turn = (this.#turn + 1) % this.#slots.length
    const slot = this.#slots[this.#turn] ?? this.#open(this.#turn)
    if (slot.opening) await slot.opening
    try {
      return await work(slot.client)
    } catch (error) {
      if ((error as Error).message === timedOut) {
        slot.clear()
        closeIdleConnections(slot.client, silenceMs())
      }
      throw error
    }
  }

  #open(index: number): Slot {
    const client = this.#make()
    const clear = () => {
      if (this.#slots[index] === slot) this.#slots[index] = undefined
    }
    const opening = client.connect().then(
      () => {
        slot.opening = undefined
        trackConnection(client, () => true, clear)
      },
      (error) => {
        clear()
        throw error
      },
    )
    const slot: Slot = { client, opening, clear }
    client.on('end', clear)
    client.on('error', (error) => {
      clear()
      logLostConnection(error)
    })
    this.#slots[index] = slot
    return slot
  }

  /** Closes the connections after the statements that wait on them are answered. */
  async end(): Promise<void> {
    const slots = this.#slots.filter((slot) => slot !== undefined)
    this.#slots.fill(undefined)
    await Promise.all(
      slots.map(async ({ client, opening }) => {
        await opening?.catch(() => undefined)
        await client.end()
      }),
    )
  }
}
