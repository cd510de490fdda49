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
  /**
   * The operations that the target cannot run, each with the reason. Operations on unsupported paths can be
   * omitted.
   */
  cannot: Partial<Record<Operation, string>>
  /** The maximum number of single-use credentials per measurement. */
  once: number
  /**
   * Creates credentials of an app. If the target has several users, the credentials belong to different
   * users.
   */
  mint: (kind: CredentialKind, count: number, app: AppName) => Promise<Credential[]>
  server: ServerProcess
}

/**
 * Returns whether a target can run an operation. The target must support the operation's path, and `cannot`
 * must not list the operation. If the operation needs a credential, the target must also have the app.
 * GraphQL operations need no app.
 */
export function takesPart(target: Target, operation: Operation): boolean {
  const { path, app, needs } = operationSpec(operation)
  const known = !needs || path === 'graphql' || target.clients[app] !== undefined
  return target.paths[path] !== undefined && known && !(operation in target.cannot)
}

/**
 * A function that starts a target. The database exists, and it is empty unless another target already uses
 * it.
 */
export type StartTarget = (place: {
  port: number
  databaseUrl: string
  nodeArgs: string[]
  /** The name of the server if there are several of the same kind. */
  name?: string
  /** The port that clients use if there is a balancer. */
  publicPort?: number
  /** The folder of the Latchkey build. If it is omitted, the build in this repository is used. */
  root?: string
  /** Environment variables in addition to those that every Latchkey server gets. They take precedence. */
  env?: Record<string, string>
  /** The processor of the server. If it is omitted, the first processor is used. */
  cpu?: string
}) => Promise<Target>
