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
  /** Operations that it cannot run although it has the address, with the reason. */
  cannot: Partial<Record<Operation, string>>
  /** The maximum of single-use credentials per measurement. */
  once: number
  /** Creates credentials of an app, each for a different user if the target has users. */
  mint: (kind: CredentialKind, count: number, app: AppName) => Promise<Credential[]>
  server: ServerProcess
}

/** Whether a target can run an operation: it has the path and the app, and no documented exception. */
export function takesPart(target: Target, operation: Operation): boolean {
  const { path, app, needs } = operationSpec(operation)
  const known = !needs || path === 'graphql' || target.clients[app] !== undefined
  return target.paths[path] !== undefined && known && !(operation in target.cannot)
}

/** Starts a target. Its database exists and is empty. */
export type StartTarget = (place: {
  port: number
  databaseUrl: string
  nodeArgs: string[]
  /** A name for one of several servers of a kind. */
  name?: string
  /** The port of clients if a balancer is in front. */
  publicPort?: number
  /** The folder of another build of Latchkey; this one by default. */
  root?: string
  /** Settings in addition to those of every target. */
  env?: Record<string, string>
  /** Another processor than the first. */
  cpu?: string
}) => Promise<Target>
