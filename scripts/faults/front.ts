import { createServer, request } from 'node:http'

/** A proxy in front of several servers. */
export type Front = { close: () => void }

/**
 * Opens a proxy in front of several servers on a port of the loopback interface.
 * @param to returns the URL of the server for the next request
 * @param from returns the client IP address of the next request, for servers with TRUST_PROXY=1
 */
export async function openFront(port: number, to: () => string, from?: () => string): Promise<Front> {
  const front = createServer((req, res) => {
    const { method, url } = req
    const headers = { ...req.headers, ...(from && { 'x-forwarded-for': from() }) }
    const passedOn = request(new URL(url as string, to()), { method, headers, agent: false }, (answer) => {
      res.writeHead(answer.statusCode as number, answer.rawHeaders)
      answer.pipe(res)
    })
    passedOn.on('error', () => res.destroy())
    req.pipe(passedOn)
  })
  await new Promise<void>((resolve) => front.listen(port, '127.0.0.1', resolve))
  return {
    close() {
      front.closeAllConnections()
      front.close()
    },
  }
}
