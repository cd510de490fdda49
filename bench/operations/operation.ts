import type { AppName, Client } from './apps'

/** What is minted before a measurement; a page needs a person who is signed in. */
export type CredentialKind = (typeof credentialKinds)[number]
export const credentialKinds = [
  'refresh',
  'refresh-near-its-end',
  'code',
  'access',
  'device',
  'session',
] as const

/** One minted credential; `verifier` belongs to a code, `variables` to a GraphQL query. */
export type Credential = { value: string; verifier?: string; variables?: Record<string, string> }

/** The addresses of a target; one that lacks an address takes no part in what asks it. */
export type Paths = Partial<
  Record<'discovery' | 'jwks' | 'token' | 'userinfo' | 'introspection' | 'graphql' | 'tool', string>
>

/** What one lane (one keep-alive connection, one session of a client) knows while it runs. */
export type Lane = {
  /** The lane's own credential, replaced by `check` where an operation is chained. */
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

/** What a request is built from. */
type Place = { path: string; client: Client; redirectUri: string }

export type OperationSpec = {
  title: string
  /** Whose credentials are used, and who asks. */
  app: AppName
  path: keyof Paths
  /** Which credential is minted for it; none when it needs no credential. */
  needs?: CredentialKind
  /** `lane`: one credential a lane, chained; `once`: each is used once; otherwise they are used in turn. */
  use?: 'lane' | 'once'
  /** A status other than 200 that is the right answer. */
  expects?: number
  request: (place: Place) => (lane: Lane) => HttpRequest
  /** Checks an answer and keeps what the next request of the lane needs. @throws Error when it is not as it should be */
  check?: (text: string, lane: Lane) => void
}

/** @returns a check that an answer shows what it must */
export const mustHold = (pattern: RegExp) => (text: string) => {
  if (!pattern.test(text)) throw new Error(`unexpected answer: ${text.slice(0, 200)}`)
}
