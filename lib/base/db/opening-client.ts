import pg from 'pg'

type Done = (error?: Error) => void

/** A connection that has more to do when it opens than the driver: whoever extends it says what. */
export abstract class OpeningClient extends pg.Client {
  /**
   * Opens the connection, by `dial` at some point.
   * @throws where it is not fit for use
   */
  protected abstract open(): Promise<void>

  /** What the driver does to connect. */
  protected dial(): Promise<pg.Client> {
    return super.connect()
  }

  override connect(): Promise<pg.Client>
  override connect(done: Done): void
  override connect(done?: Done): Promise<pg.Client> | undefined {
    const connecting = this.open()
    if (!done) return connecting.then(() => this)
    connecting.then(() => done(), done)
    return undefined
  }
}
