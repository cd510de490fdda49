import { type HttpRequest, mustHold, type OperationSpec } from './operation'

/** One external API for each token format. Every user has granted the native app access to both APIs. */
export const apis = {
  opaque: { id: 'lk_api_bench0opaque', identifier: 'https://opaque.example.test', scope: 'opaque:read' },
  jwt: { id: 'lk_api_bench0jwt', identifier: 'https://jwt.example.test', scope: 'jwt:read' },
} as const

/**
 * The secret of the API with opaque tokens, which is the only API that sends requests. The last six
 * characters are a checksum.
 */
export const apiSecret = `lk_aps_${'bench'.padEnd(43, '0')}1oEdd8`

/**
 * Returns a POST request that the API with opaque tokens sends: form fields, and the API's credentials in a
 * header.
 */
const formOfApi = (path: string, fields: Record<string, string>): HttpRequest => ({
  method: 'POST',
  path,
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`${apis.opaque.id}:${apiSecret}`).toString('base64')}`,
  },
  body: new URLSearchParams(fields).toString(),
})

const requestJwt: OperationSpec = {
  ...{ app: 'native', path: 'token', needs: 'refresh-for-api', use: 'lane' },
  title: 'refresh that rotates, with a JWT for an API instead of an opaque token; native app, ES256',
  request:
    ({ path, client }) =>
    (lane) => ({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        ...{ grant_type: 'refresh_token', refresh_token: lane.own.value, client_id: client.id },
        resource: apis.jwt.identifier,
      }).toString(),
    }),
  check(text, lane) {
    const { access_token: token, refresh_token: value } = JSON.parse(text)
    if (String(token).split('.').length !== 3) throw new Error(`no JWT: ${text.slice(0, 200)}`)
    if (value === lane.own.value) throw new Error('the refresh token did not rotate')
    lane.own = { value }
  },
}

const introspect: OperationSpec = {
  ...{ app: 'native', path: 'introspection', needs: 'access-for-api' },
  title: 'introspection of a token by the API that it was issued for, with authorization_details',
  request:
    ({ path }) =>
    (lane) =>
      formOfApi(path, { token: lane.next().value }),
  check: mustHold(/"active"\s*:\s*true/),
}

const exchange: OperationSpec = {
  ...{ app: 'native', path: 'token', needs: 'access-for-api' },
  title: 'token exchange by an API: an opaque token for a JWT of another API, ES256',
  request:
    ({ path }) =>
    (lane) =>
      formOfApi(path, {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: lane.next().value,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        resource: apis.jwt.identifier,
      }),
  check: mustHold(/"issued_token_type"/),
}

export const apiOperations = {
  'api-jwt': requestJwt,
  'api-introspect': introspect,
  'api-exchange': exchange,
}
