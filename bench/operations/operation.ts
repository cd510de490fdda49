import type { AppName, Client } from './apps'

/**
 * A kind of credential that is created before a measurement. A `session` is for pages that require sign-in.
 */
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

/** The paths that a target supports. Operations with other paths are not measured on the target. */
export type Paths = Partial<
  Record<'discovery' | 'jwks' | 'token' | 'userinfo' | 'introspection' | 'graphql' | 'tool', string>
>

/** The state of a lane. A lane is one of the driver's keep-alive connections. */
export type Lane = {
  /**
   * The lane's credential. In a chained operation, `check` replaces the credential. In other operations, the
   * value is empty until the operation assigns a shared credential.
   */
  own: Credential
  /** Returns the next shared credential. After the last one, starts with the first one again. */
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
  /** The app to which the credentials were issued. It also sends the requests, except those of an API. */
  app: AppName
  path: keyof Paths
  /** The kind of credential to create. Undefined if the operation needs no credential. */
  needs?: CredentialKind
  /**
   * `lane` uses one chained credential per lane. `once` uses each credential once. If `use` is omitted, all
   * lanes use the same credentials in rotation.
   */
  use?: 'lane' | 'once'
  /** The expected status. If it is omitted, the expected status is 200. */
  expects?: number
  request: (place: Place) => (lane: Lane) => HttpRequest
  /**
   * Checks a response. In some operations, also stores its credential in the lane. @throws Error if the
   * response is wrong
   */
  check?: (text: string, lane: Lane) => void
}

/** Returns a check that a response matches a pattern. */
export const mustHold = (pattern: RegExp) => (text: string) => {
  if (!pattern.test(text)) throw new Error(`Unexpected response: ${text.slice(0, 200)}`)
}
