import type { ServerProcess } from '../machine/server-process'
import type { AppName, Client } from '../operations/apps'
import type { Credential, CredentialKind, Paths } from '../operations/operation'
import { type Operation, operationSpec } from '../operations/operations'

/** A measured server. */
export type Target = {
  name: string
  base: string
  clients: Partial<Record<AppName, Client>>
  redirectUri: string
  paths: Paths
  /** The operations that the target cannot run although it supports their path, each with the reason. */
  cannot: Partial<Record<Operation, string>>
  /** The maximum number of single-use credentials per measurement. */
  once: number
  /** Creates credentials of an app, each for a different user if the target has users. */
  mint: (kind: CredentialKind, count: number, app: AppName) => Promise<Credential[]>
  server: ServerProcess
}

/**
 * Returns whether a target can run an operation. The target must have the path and the app, and `cannot` must not list the
 * operation.
 */
export function takesPart(target: Target, operation: Operation): boolean {
  const { path, app, needs } = operationSpec(operation)
  const known = !needs || path === 'graphql' || target.clients[app] !== undefined
  return target.paths[path] !== undefined && known && !(operation in target.cannot)
}

/** A function that starts a target. The target's database exists and is empty. */
export type StartTarget = (place: {
  port: number
  databaseUrl: string
  nodeArgs: string[]
  /** The name of the server if there are several of the same kind. */
  name?: string
  /** The port that clients use if there is a balancer. */
  publicPort?: number
  /** The folder of the Latchkey build. If it is omitted, this build is used. */
  root?: string
  /** Settings in addition to the common settings of all targets. */
  env?: Record<string, string>
  /** The processor of the server. If it is omitted, the first processor is used. */
  cpu?: string
}) => Promise<Target>
