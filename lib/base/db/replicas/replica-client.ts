import type pg from 'pg'
import { OpeningClient } from '../primary'

/** The same for as long as a server runs, and another for any other server. */
const identity = `SELECT concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), inet_server_addr(), inet_server_port()) AS is`

type ReplicaClientConfig = pg.ClientConfig & {
  /** Is told which server answered; what it throws ends the connection. */
  meets: (server: string) => void
}

/** A connection to a read replica, which is asked at once which server it is: an address may lead to several. */
export class ReplicaClient extends OpeningClient {
  readonly #meets: ReplicaClientConfig['meets']

  constructor(settings: ReplicaClientConfig) {
    super(settings)
    this.#meets = settings.meets
  }

  protected async open(): Promise<void> {
    await this.dial()
    try {
      const { rows } = await this.query<{ is: string }>(identity)
      this.#meets(String(rows[0]?.is))
    } catch (error) {
      await this.end().catch(() => undefined)
      throw error
    }
  }

  /** Ends it without a farewell: what is under way fails at once. */
  abandon(): void {
    const { connection } = this as unknown as { connection: { stream: { destroy: () => void } } }
    connection.stream.destroy()
  }
}
