import { createServer, request } from 'node:http'

/** The address that people and apps know, in front of several servers. */
export type Front = { close: () => void }

/** @param to gives the address of the server that the next request goes to */
export async function openFront(port: number, to: () => string): Promise<Front> {
  const front = createServer((req, res) => {
    const { method, headers, url } = req
    const passedOn = request(new URL(url as string, to()), { method, headers }, (answer) => {
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
