import { get } from 'node:http'
import type { Cookie } from '@playwright/test'

/**
 * Sends a GET request with exactly the given path. Unlike this function, browsers and `fetch` repair a
 * malformed path before they send it.
 * @param base any URL of the server
 */
export function rawGet(base: string, path: string, cookies: Cookie[] = []): Promise<{ status: number }> {
  const { hostname, port } = new URL(base)
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return new Promise((resolve, reject) => {
    get({ hostname, port, path, headers: { cookie } }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0 })
    }).on('error', reject)
  })
}
