import { connect } from 'node:net'

/**
 * Sends bytes as they are.
 * @param base any address of the server
 * @param hangUp when the client closes its end of the connection: without waiting for anything, or once there is an answer
 * @returns what came back until the server had closed its end of the connection as well
 */
export function exchange(base: string, bytes: string, hangUp: 'at once' | 'once answered'): Promise<string> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
      socket.end()
    })
    socket.on('end', () => resolve(answer)).on('error', reject)
    socket.write(bytes)
    if (hangUp === 'at once') socket.end()
  })
}
