import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Callback = {
  /** The redirect URI. */
  uri: string
  /** The URL that the browser was redirected to. */
  answer: Promise<URL>
  close: () => Promise<void>
}

/**
 * Starts an HTTP server that receives the redirect to a client.
 * @param host the host of the client's redirect URI
 */
export async function startCallback(host: '127.0.0.1' | 'localhost' = '127.0.0.1'): Promise<Callback> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const uri = `http://${host}:${(server.address() as AddressInfo).port}/callback`
  const answer = new Promise<URL>((resolve) => {
    server.on('request', (req, res) => {
      const url = new URL(req.url ?? '/', uri)
      res.writeHead(url.pathname === '/callback' ? 200 : 404, { 'content-type': 'text/html' })
      res.end('<link rel="icon" href="data:,"><h1>The client received the response</h1>')
      if (url.pathname === '/callback') resolve(url)
    })
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { uri, answer, close }
}
