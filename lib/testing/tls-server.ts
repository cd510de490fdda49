import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import { allowOutboundForTests } from '@/lib/base/outbound/check-url'

export type TlsServer = {
  /**
   * The server's origin, `https://localhost:<port>`. The certificate is also valid for `*.test` and
   * 127.0.0.1.
   */
  origin: string
  port: number
  /** The server's certificate, which clients must trust as an authority. */
  ca: string
  close: () => Promise<void>
}

/**
 * Starts an https server on loopback with a new certificate.
 * @param ciphers the ciphers that are allowed for TLS 1.2 and below, with OpenSSL's names; by default, Node's
 * ciphers
 */
export async function startTlsServer(listener: RequestListener, ciphers?: string): Promise<TlsServer> {
  const certificate = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 2, value: '*.test' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  const server = createServer(
    { key: certificate.private, cert: certificate.cert, ...(ciphers ? { ciphers } : {}) },
    listener,
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `https://localhost:${port}`,
    port,
    ca: certificate.cert,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * Starts an https server that the product can call through its outbound guard, like a third party's server on
 * the public internet. `close` also removes this exception from the guard.
 */
export async function startOutsideServer(listener: RequestListener): Promise<TlsServer> {
  const server = await startTlsServer(listener)
  const closeGuard = allowOutboundForTests({
    networks: ['127.0.0.0/8'],
    ports: [server.port],
    ca: server.ca,
  })
  return {
    ...server,
    close: () => {
      closeGuard()
      return server.close()
    },
  }
}
