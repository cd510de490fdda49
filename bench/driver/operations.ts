import type { Credential, Target, TargetClient } from '../targets/target'

/** What one lane (one keep-alive connection, one client session) knows while it runs. */
export type Lane = {
  /** The lane's own credential, replaced by `after` where an operation is chained. */
  own: Credential
  /** The next credential of the common heap. */
  next: () => Credential
}

export type HttpRequest = {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

type OperationSpec = {
  title: string
  /** Which credential is minted for it; none when it needs no credential. */
  needs?: 'refresh' | 'code' | 'access' | 'confidential-access' | 'device'
  /** `lane`: one credential a lane, chained; `once`: each is used once; otherwise they are used in turn. */
  use?: 'lane' | 'once'
  /** A status other than 200 that is the right answer. */
  expects?: number
  request: (target: Target) => (lane: Lane) => HttpRequest
  /** Checks an answer and keeps what the next request of the lane needs. @throws Error when it is not as it should be */
  check?: (text: string, lane: Lane) => void
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const get =
  (path = '/') =>
  (): HttpRequest => ({ method: 'GET', path })

/** A form a client sends: HTTP Basic with a secret, its id in the form without one. */
function clientForm(path: string | undefined, { id, secret }: TargetClient, body: string): HttpRequest {
  if (!secret) return post(path, form, `${body}&client_id=${encodeURIComponent(id)}`)
  const basic = Buffer.from(`${id}:${secret}`).toString('base64')
  return post(path, { ...form, authorization: `Basic ${basic}` }, body)
}

const post = (path = '/', headers: Record<string, string>, body: string): HttpRequest => ({
  method: 'POST',
  path,
  headers,
  body,
})

const escaped = ({ value }: Credential) => encodeURIComponent(value)
const bearer = (lane: Lane) => ({ authorization: `Bearer ${lane.next().value}` })

const graphqlRequest =
  ({ paths }: Target, query: string, withVariables: boolean) =>
  (lane: Lane): HttpRequest => {
    const { value, variables } = lane.next()
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const body = JSON.stringify(withVariables ? { query, variables } : { query })
    return post(paths.graphql, { ...headers, authorization: `Bearer ${value}` }, body)
  }

/** A token answer must be whole and must have rotated; anything less would be compared with something else. */
function checkTokens(text: string, lane: Lane): void {
  const body = JSON.parse(text)
  for (const name of ['access_token', 'refresh_token', 'id_token']) {
    if (typeof body[name] !== 'string') throw new Error(`no ${name}: ${text.slice(0, 200)}`)
  }
  if (body.refresh_token === lane.own?.value) throw new Error('the refresh token did not rotate')
  lane.own = { value: body.refresh_token }
}

const mustHold = (pattern: RegExp) => (text: string) => {
  if (!pattern.test(text)) throw new Error(`unexpected answer: ${text.slice(0, 200)}`)
}

const meQuery = '{ me { id email workspaces { id name } } }'
const projectsQuery = `query ($workspaceId: ID!) { projects(workspaceId: $workspaceId, first: 50) {
  edges { node { id name members { id name role } } } pageInfo { hasNextPage endCursor } } }`

const deviceGrant = encodeURIComponent('urn:ietf:params:oauth:grant-type:device_code')

export const operations = {
  discovery: { title: 'GET metadata', request: (t) => get(t.paths.discovery) },
  jwks: { title: 'GET keys', request: (t) => get(t.paths.jwks), check: mustHold(/"keys"/) },
  refresh: {
    title:
      'refresh_token grant: rotation, id_token; 16 sessions of 16 people, each presents the token it just got',
    needs: 'refresh',
    use: 'lane',
    request:
      ({ paths, client }) =>
      (lane) =>
        clientForm(paths.token, client, `grant_type=refresh_token&refresh_token=${escaped(lane.own)}`),
    check: checkTokens,
  },
  code: {
    title: 'authorization_code grant with PKCE: access, refresh and id token',
    needs: 'code',
    use: 'once',
    request: ({ paths, client, redirectUri }) => {
      const redirect = encodeURIComponent(redirectUri)
      return (lane) => {
        const code = lane.next()
        const grant = `grant_type=authorization_code&code=${escaped(code)}&code_verifier=${code.verifier}`
        return clientForm(paths.token, client, `${grant}&redirect_uri=${redirect}`)
      }
    },
    check: checkTokens,
  },
  userinfo: {
    title: 'GET /oauth/me',
    needs: 'access',
    request:
      ({ paths }) =>
      (lane) => ({ method: 'GET', path: paths.userinfo ?? '/', headers: bearer(lane) }),
    check: mustHold(/"sub"/),
  },
  introspect: {
    title: 'token introspection with client_secret_basic',
    needs: 'confidential-access',
    request:
      ({ paths, confidentialClient, client }) =>
      (lane) => {
        const body = `token=${escaped(lane.next())}&token_type_hint=access_token`
        return clientForm(paths.introspection, confidentialClient ?? client, body)
      },
    check: mustHold(/"active"\s*:\s*true/),
  },
  device: {
    title: 'device code polled before it is approved',
    needs: 'device',
    use: 'once',
    expects: 400,
    request:
      ({ paths, client }) =>
      (lane) =>
        clientForm(paths.token, client, `grant_type=${deviceGrant}&device_code=${escaped(lane.next())}`),
    check: mustHold(/authorization_pending/),
  },
  graphql: {
    title: meQuery,
    needs: 'access',
    request: (t) => graphqlRequest(t, meQuery, false),
    check: mustHold(/"workspaces"\s*:\s*\[\s*\{/),
  },
  projects: {
    title: 'projects(first: 50) with their members',
    needs: 'access',
    request: (t) => graphqlRequest(t, projectsQuery, true),
    check: mustHold(/"members"\s*:\s*\[\s*\{/),
  },
} satisfies Record<string, OperationSpec>

export type Operation = keyof typeof operations
export const operationSpec = (name: Operation): OperationSpec => operations[name]
