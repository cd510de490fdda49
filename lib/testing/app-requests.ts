import { config } from '@/lib/base/config/env'
import type { TestApp } from './oauth-flow'

/** Sends a query to the API. @returns the data, and a `code`: the first error's code, or `ok` */
export async function queryApi(token: string, query: string) {
  const response = await fetch(new URL('/graphql/v2', config().BASE_URL), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = await response.json()
  return { data, code: errors?.[0]?.extensions.code ?? 'ok' }
}

async function askAbout(app: TestApp, path: string, token: string) {
  const fields = { token, client_id: app.clientId, client_secret: String(app.secret) }
  const response = await fetch(new URL(path, config().BASE_URL), {
    method: 'POST',
    body: new URLSearchParams(fields),
  })
  return response.headers.get('content-type') ? await response.json() : response.status
}
/** Introspects a token as the app (RFC 7662). */
export const introspect = (app: TestApp, token: string) => askAbout(app, '/oauth/token/introspection', token)

/** Revokes a token as the app (RFC 7009). @returns the status, or the parsed body if the response has one */
export const revoke = (app: TestApp, token: string) => askAbout(app, '/oauth/token/revocation', token)
