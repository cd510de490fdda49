import { config } from '@/lib/base/config/env'
import type { TestApp } from './oauth-flow'

/** Sends a query to the API. @returns the response, and a `code`: the first error's code, or `ok` */
export async function queryApi(token: string, query: string) {
  const response = await fetch(new URL('/graphql/v2', config().BASE_URL), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = await response.json()
  return { status: response.status, data, errors, code: errors?.[0]?.extensions.code ?? 'ok' }
}

/** Pushes an authorization request (RFC 9126). If the app has a secret, the request contains it. */
export async function pushRequest(app: TestApp, params: Record<string, string> = {}) {
  const response = await fetch(new URL('/oauth/request', config().BASE_URL), {
    method: 'POST',
    body: new URLSearchParams({
      client_id: app.clientId,
      ...(app.secret ? { client_secret: app.secret } : {}),
      redirect_uri: app.redirectUri,
      response_type: 'code',
      scope: 'openid',
      ...params,
    }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

/**
 * Registers an app (RFC 7591) with the given metadata. @returns the response, and the app with its first
 * redirect URI
 */
export async function registerApp(metadata: object) {
  const response = await fetch(new URL('/oauth/register', config().BASE_URL), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })
  const body = (await response.json()) as Record<string, string> & { redirect_uris?: string[] }
  const app: TestApp = {
    clientId: String(body.client_id),
    secret: body.client_secret,
    redirectUri: body.redirect_uris?.[0] ?? '',
  }
  return { status: response.status, body, app }
}

/** Returns the result of a token at the API: `ok`, or the code of the error. */
export const atApi = async (token: string) => (await queryApi(token, '{ currentToken { kind } }')).code

/** Returns the status of a token at /mcp. */
export async function atMcp(token: string) {
  const response = await fetch(new URL('/mcp', config().BASE_URL), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  return response.status
}

/** Sends a request as the app, with parameters that can be repeated. */
export async function sendFields(app: TestApp, fields: [string, string][], path = '/oauth/token') {
  const body = new URLSearchParams({ client_id: app.clientId })
  if (app.secret) body.set('client_secret', app.secret)
  for (const [name, value] of fields) body.append(name, value)
  const response = await fetch(new URL(path, config().BASE_URL), { method: 'POST', body })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
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
