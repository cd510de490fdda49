import { connect } from 'node:net'

/**
 * Sends bytes unchanged over a new connection.
 * @param base any URL of the server
 * @param hangUp when the client closes its end of the connection: immediately, or after the first part of the
 * response
 * @returns everything received until the server has closed its end of the connection
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
