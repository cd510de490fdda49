import { type Actor, isApp } from './actor'

const reached = new WeakMap<Actor, Set<string>>()

/** Notes that a request of an app was allowed something in a workspace. Nothing is noted of who is no app. */
export function noteReached(actor: Actor, workspaceId: string): void {
  if (!isApp(actor)) return
  const known = reached.get(actor)
  if (known) known.add(workspaceId)
  else reached.set(actor, new Set([workspaceId]))
}

/**
 * The workspaces in which an app was allowed something while it asked as this actor, which is made for each request. What a list
 * holds of a workspace is not among them, unless the request names it or something in it.
 * See decision 205.
 */
export const reachedBy = (actor: Actor): ReadonlySet<string> => reached.get(actor) ?? none

const none: ReadonlySet<string> = new Set()
