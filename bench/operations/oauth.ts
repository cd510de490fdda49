import { type AppName, type Client, describeApp } from './apps'
import { type Credential, type HttpRequest, type Lane, mustHold, type OperationSpec } from './operation'

/**
 * Returns a form request with the client's credentials. A client with a secret uses HTTP Basic. A client
 * without a secret sends its ID in the form.
 */
function clientForm(path: string, { id, secret }: Client, fields: Record<string, string>): HttpRequest {
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  if (secret) headers.authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const body = new URLSearchParams(secret ? fields : { ...fields, client_id: id }).toString()
  return { method: 'POST', path, headers, body }
}

/**
 * Checks that a token response contains an access token, a refresh token, and an ID token, so that all
 * targets do the same work.
 * @returns the refresh token
 * @throws Error if a token is missing
 */
function refreshTokenOf(text: string): string {
  const body = JSON.parse(text)
  for (const name of ['access_token', 'refresh_token', 'id_token']) {
    if (typeof body[name] !== 'string') throw new Error(`no ${name}: ${text.slice(0, 200)}`)
  }
  return body.refresh_token
}

/**
 * Returns a check that the response contains a new refresh token or, if `rotates` is false, the same refresh
 * token. The check stores the token for the lane's next request.
 */
const mustRotate =
  (rotates: boolean, presented: (lane: Lane) => Credential) => (text: string, lane: Lane) => {
    const value = refreshTokenOf(text)
    if ((value !== presented(lane).value) !== rotates) {
      throw new Error(`the refresh token did ${rotates ? 'not rotate' : 'rotate'}`)
    }
    lane.own = { value }
  }

const own = (lane: Lane): Credential => lane.own
/** Assigns the next shared credential to the lane, and returns it. */
const taken = (lane: Lane): Credential => {
  lane.own = lane.next()
  return lane.own
}

const refreshWith =
  (credential: (lane: Lane) => Credential): OperationSpec['request'] =>
  ({ path, client }) =>
  (lane) =>
    clientForm(path, client, { grant_type: 'refresh_token', refresh_token: credential(lane).value })

const token = { path: 'token' } as const

/**
 * Returns a refresh operation in which each request uses the refresh token from the lane's previous response.
 */
export const refreshChained = (app: AppName): OperationSpec => ({
  ...{ ...token, app, needs: 'refresh', use: 'lane' },
  title: `refresh that rotates, with id_token; 16 sessions of 16 users; ${describeApp(app)}`,
  request: refreshWith(own),
  check: mustRotate(true, own),
})

/**
 * Returns a refresh operation that uses each refresh token once. The tokens are near the end of their
 * lifetime, because a refresh replaces a web app's token only then.
 */
export const refreshNearItsEnd = (app: AppName): OperationSpec => ({
  ...{ ...token, app, needs: 'refresh-near-its-end', use: 'once' },
  title: `refresh that rotates, with id_token; each token near the end of its lifetime; ${describeApp(app)}`,
  request: refreshWith(taken),
  check: mustRotate(true, own),
})

/** Returns the typical refresh operation of a web app, in which the refresh token stays the same. */
export const refreshKept = (app: AppName): OperationSpec => ({
  ...{ ...token, app, needs: 'refresh', use: 'lane' },
  title: `refresh that does not rotate, with id_token; 16 sessions of 16 users; ${describeApp(app)}`,
  request: refreshWith(own),
  check: mustRotate(false, own),
})

export const code = (app: AppName): OperationSpec => ({
  ...{ ...token, app, needs: 'code', use: 'once' },
  title: `code with PKCE: access, refresh and id token; ${describeApp(app)}`,
  request:
    ({ path, client, redirectUri }) =>
    (lane) => {
      const { value, verifier = '' } = lane.next()
      return clientForm(path, client, {
        ...{ grant_type: 'authorization_code', code: value, code_verifier: verifier },
        redirect_uri: redirectUri,
      })
    },
  check: (text) => void refreshTokenOf(text),
})

export const device = (app: AppName): OperationSpec => ({
  ...{ ...token, app, needs: 'device', use: 'once', expects: 400 },
  title: `device code polled before it is approved; ${describeApp(app)}`,
  request:
    ({ path, client }) =>
    (lane) =>
      clientForm(path, client, {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: lane.next().value,
      }),
  check: mustHold(/authorization_pending/),
})

export const userinfo = (app: AppName): OperationSpec => ({
  ...{ app, path: 'userinfo', needs: 'access' },
  title: `GET /oauth/me; ${describeApp(app)}`,
  request:
    ({ path }) =>
    (lane) => ({ method: 'GET', path, headers: { authorization: `Bearer ${lane.next().value}` } }),
  check: mustHold(/"sub"/),
})

export const introspect = (app: AppName): OperationSpec => ({
  ...{ app, path: 'introspection', needs: 'access' },
  title: `introspection of an access token; ${describeApp(app)}`,
  request:
    ({ path, client }) =>
    (lane) =>
      clientForm(path, client, { token: lane.next().value, token_type_hint: 'access_token' }),
  check: mustHold(/"active"\s*:\s*true/),
})

/** Returns an operation that requests a public document. */
export const document = (path: 'discovery' | 'jwks', title: string, holds: RegExp): OperationSpec => ({
  ...{ app: 'web', path, title },
  request:
    ({ path }) =>
    () => ({ method: 'GET', path }),
  check: mustHold(holds),
})
