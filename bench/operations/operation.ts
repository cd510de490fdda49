import type { AppName, Client } from './apps'

/** A kind of credential that is created before a measurement. A `session` is for pages that require sign-in. */
export type CredentialKind = (typeof credentialKinds)[number]
export const credentialKinds = [
  'refresh',
  'refresh-near-its-end',
  'code',
  'access',
  'refresh-for-api',
  'access-for-api',
  'device',
  'session',
] as const

/** One credential. `verifier` is for an authorization code, and `variables` is for a GraphQL query. */
export type Credential = { value: string; verifier?: string; variables?: Record<string, string> }

/** The paths that a target supports. A target skips operations whose path it does not support. */
export type Paths = Partial<
  Record<'discovery' | 'jwks' | 'token' | 'userinfo' | 'introspection' | 'graphql' | 'tool', string>
>

/** The state of a lane, which is one keep-alive connection with one session of a client. */
export type Lane = {
  /** The lane's credential. In a chained operation, `check` replaces the credential. */
  own: Credential
  /** Returns the next shared credential. */
  next: () => Credential
}

export type HttpRequest = {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** The parts of a request that depend on the target. */
type Place = { path: string; client: Client; redirectUri: string }

export type OperationSpec = {
  title: string
  /** The app that owns the credentials and sends the requests. */
  app: AppName
  path: keyof Paths
  /** The kind of credential to create. Undefined if the operation needs no credential. */
  needs?: CredentialKind
  /**
   * `lane` uses one chained credential per lane. `once` uses each credential once. By default, credentials are used in
   * rotation.
   */
  use?: 'lane' | 'once'
  /** The expected status, if it is not 200. */
  expects?: number
  request: (place: Place) => (lane: Lane) => HttpRequest
  /**
   * Checks a response, and stores the values for the lane's next request. @throws Error if the response is wrong
   */
  check?: (text: string, lane: Lane) => void
}

/** Returns a check that a response matches a pattern. */
export const mustHold = (pattern: RegExp) => (text: string) => {
  if (!pattern.test(text)) throw new Error(`Unexpected response: ${text.slice(0, 200)}`)
}
