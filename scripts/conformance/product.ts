import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { type RequestListener, request } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startProduct } from '@/e2e/support/servers'
import { users } from '@/e2e/support/users'
import { cleanEnvironment } from '@/lib/testing/test-environment'
import { startTlsServer } from '@/lib/testing/tls-server'
import type { Account } from './user'

/** The product that the suite tests. */
export type TestedProduct = {
  /** The product's `BASE_URL`. */
  url: string
  account: Account
  /**
   * Registers a client (RFC 7591). @returns the client ID @throws Error with the reason if the product
   * rejects the client
   */
  registerClient: (metadata: object) => Promise<string>
  /**
   * Rotates the signing keys with the instance admin's command, and waits until the server publishes the new
   * keys.
   * @throws Error if the server has not published the new keys after `longestReloadMs`
   */
  rotateKeys: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * The ciphers of TLS 1.3, and the ciphers of TLS 1.2 that FAPI 2.0 allows (BCP 195) and that work with an
 * ECDSA certificate.
 */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
].join(':')

/**
 * Starts the built product with demo data on a separate embedded database, behind a TLS proxy on loopback.
 * The suite accepts the proxy's certificate, which is created for this run. Waits until the product is ready.
 */
export async function startTestedProduct(): Promise<TestedProduct> {
  let target = ''
  const front = await startTlsServer((req, res) => forward(target)(req, res), ciphers)
  const password = randomBytes(12).toString('hex')
  const product = await startProduct([], password, {
    BASE_URL: front.origin,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'warn',
  })
  target = product.url
  const stop = async () => {
    await Promise.all([product.stop(), front.close()])
  }
  try {
    await product.ready
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: front.origin,
    account: { email: users.ada.email, password },
    // Bypasses the TLS proxy, because this process does not trust the proxy's certificate.
    registerClient: async (metadata) => {
      const answer = await fetch(`${product.url}/oauth/register`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-proto': 'https',
          'x-forwarded-for': newAddress(),
        },
        body: JSON.stringify(metadata),
      })
      const { client_id, error_description } = (await answer.json()) as Record<string, string>
      if (!client_id) throw new Error(`The client was not registered: ${error_description}`)
      return client_id
    },
    rotateKeys: async () => {
      const before = await publishedKeys(product.url)
      await promisify(execFile)(
        process.execPath,
        [path.resolve('scripts/latchkey.mjs'), 'rotate-keys', '--in', '0'],
        { env: { ...cleanEnvironment(), DATA_DIR: product.dataDir, BASE_URL: front.origin } },
      )
      const until = Date.now() + longestReloadMs
      while ((await publishedKeys(product.url)) === before) {
        if (Date.now() > until) throw new Error('The server did not publish the new signing keys.')
        await sleep(1_000)
      }
    },
    stop,
  }
}

/** The maximum time until the server publishes keys that a command created, in milliseconds. */
const longestReloadMs = 120_000

/** Returns the key set as the server sends it. */
const publishedKeys = async (url: string) =>
  (await fetch(`${url}/oauth/jwks`, { headers: { 'x-forwarded-proto': 'https' } })).text()

let addresses = 0

/**
 * Returns a new client IP address for a registration. The suite registers more clients than one IP address is
 * allowed to register.
 */
const newAddress = (): string => {
  addresses += 1
  return `10.0.${(addresses >> 8) & 255}.${addresses & 255}`
}

/**
 * Returns a handler that forwards requests to the product, with the headers of a proxy. Each registration of
 * a client gets a new client IP address.
 */
const forward =
  (target: string): RequestListener =>
  (req, res) => {
    const { method, url = '/' } = req
    const headers = {
      ...req.headers,
      'x-forwarded-for': url.startsWith('/oauth/register') ? newAddress() : req.socket.remoteAddress,
      'x-forwarded-proto': 'https',
    }
    const passedOn = request(new URL(url, target), { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(res)
    })
    passedOn.on('error', () => res.destroy())
    req.pipe(passedOn)
  }
