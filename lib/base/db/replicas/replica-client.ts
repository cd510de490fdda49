import pg from 'pg'

type Done = (error?: Error) => void

/** The same for as long as a server runs, and another for any other server. */
const identity = `SELECT concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), inet_server_addr(), inet_server_port()) AS is`

type ReplicaClientConfig = pg.ClientConfig & {
  /** Is told which server answered; what it throws ends the connection. */
  meets: (server: string) => void
}

/** A connection to a read replica, which is asked at once which server it is: an address may lead to several. */
export class ReplicaClient extends pg.Client {
  readonly #meets: ReplicaClientConfig['meets']

  constructor(settings: ReplicaClientConfig) {
    super(settings)
    this.#meets = settings.meets
  }

  override connect(): Promise<pg.Client>
  override connect(done: Done): void
  override connect(done?: Done): Promise<pg.Client> | undefined {
    const connecting = this.#connect()
    if (!done) return connecting
    connecting.then(() => done(), done)
    return undefined
  }

  async #connect(): Promise<pg.Client> {
    await super.connect()
    try {
      const { rows } = await this.query<{ is: string }>(identity)
      this.#meets(String(rows[0]?.is))
    } catch (error) {
      await this.end().catch(() => undefined)
      throw error
    }
    return this
  }

  /** Ends it without a farewell: what is under way fails at once. */
  abandon(): void {
    const { connection } = this as unknown as { connection: { stream: { destroy: () => void } } }
    connection.stream.destroy()
  }
}
