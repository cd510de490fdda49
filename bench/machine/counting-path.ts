import net from 'node:net'

export type CountingPath = {
  /** The URL that connects to the database through this proxy. */
  url: string
  /** Returns the number of statements that clients have sent through this proxy so far. */
  statements: () => number
  close: () => void
}

/** The types of the messages that run a statement (PostgreSQL manual, "Message Formats"). */
const EXECUTE = 'E'.charCodeAt(0)
const QUERY = 'Q'.charCodeAt(0)

/**
 * Opens a proxy to a database. The proxy counts all statements, including those of the server's periodic
 * background work.
 */
export async function countingPath(databaseUrl: string): Promise<CountingPath> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<net.Socket>()
  let statements = 0
  const server = net.createServer((inner) => {
    const outer = net.connect(Number(port), hostname)
    const read = messageReader((type) => {
      if (type === EXECUTE || type === QUERY) statements++
    })
    inner.on('data', (data) => {
      read(data)
      outer.write(data)
    })
    outer.on('data', (data) => inner.write(data))
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
      sockets.add(one)
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as net.AddressInfo).port)
  return {
    url: url.href,
    statements: () => statements,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/**
 * Returns a function that parses a PostgreSQL client's messages from chunks of any size.
 * @param see receives the type of each message except the first, which opens the connection and has no type
 */
export function messageReader(see: (type: number) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0)
  let begun = false
  return (data) => {
    rest = Buffer.concat([rest, data])
    for (;;) {
      const at = begun ? 1 : 0
      if (rest.length < at + 4) return
      const end = at + rest.readUInt32BE(at)
      if (rest.length < end) return
      if (begun) see(rest[0] as number)
      begun = true
      rest = rest.subarray(end)
    }
  }
}
