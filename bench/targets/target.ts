import type { Operation, operations } from '../driver/operations'
import type { ServerProcess } from '../machine/server-process'

/** One minted credential; `verifier` belongs to a code, `variables` to a GraphQL query. */
export type Credential = { value: string; verifier?: string; variables?: Record<string, string> }

/** What an operation needs to be minted beforehand; a page needs a person who is signed in. */
export type CredentialKind = Extract<(typeof operations)[Operation], { needs: string }>['needs'] | 'session'

/** `secret` is empty for a public client. */
export type TargetClient = { id: string; secret: string }

/** A server under measurement. */
export type Target = {
  name: string
  title: string
  base: string
  client: TargetClient
  /** Where `client` is public: the one that introspects. */
  confidentialClient?: TargetClient
  redirectUri: string
  paths: Partial<Record<'discovery' | 'jwks' | 'token' | 'userinfo' | 'introspection' | 'graphql', string>>
  operations: Operation[]
  /** How many single-use credentials one measurement may take at most. */
  once: number
  /** Makes credentials, each for a different person where the target knows people. */
  mint: (kind: CredentialKind, count: number) => Promise<Credential[]>
  server: ServerProcess
}

/** How a target is started: its database exists and is empty. */
export type StartTarget = (place: {
  port: number
  databaseUrl: string
  nodeArgs: string[]
  /** For several servers of one kind. */
  name?: string
  /** The port that clients are sent to, where a balancer stands in front. */
  publicPort?: number
  /** Another processor than the first. */
  cpu?: string
}) => Promise<Target>
