import net from 'node:net'

const canListen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/**
 * Returns a random free port for a server that starts later. The port is below the range for outgoing
 * connections, so that no outgoing connection can take it in the meantime.
 */
export async function testPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    if (await canListen(port)) return port
  }
}
