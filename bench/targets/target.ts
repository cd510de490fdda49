import type { ServerProcess } from '../machine/server-process'
import type { AppName, Client } from '../operations/apps'
import type { Credential, CredentialKind, Paths } from '../operations/operation'
import { type Operation, operationSpec } from '../operations/operations'

/** A server under measurement. */
export type Target = {
  name: string
  base: string
  clients: Partial<Record<AppName, Client>>
  redirectUri: string
  paths: Paths
  /** What it truly cannot do, though it has the address, and why. */
  cannot: Partial<Record<Operation, string>>
  /** How many single-use credentials one measurement may take at most. */
  once: number
  /** Makes credentials of an app, each for a different person where the target knows people. */
  mint: (kind: CredentialKind, count: number, app: AppName) => Promise<Credential[]>
  server: ServerProcess
}

/** Whether a target does the work of an operation: it has the address and the app, and nothing says that it cannot. */
export function takesPart(target: Target, operation: Operation): boolean {
  const { path, app, needs } = operationSpec(operation)
  const known = !needs || path === 'graphql' || target.clients[app] !== undefined
  return target.paths[path] !== undefined && known && !(operation in target.cannot)
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
  /** The folder of another build of Latchkey; this one by default. */
  root?: string
  /** Settings beside those that every target gets. */
  env?: Record<string, string>
  /** Another processor than the first. */
  cpu?: string
}) => Promise<Target>
