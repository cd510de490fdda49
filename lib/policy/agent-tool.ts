import type { Permission } from './permissions'
import type { Scope } from './scopes'

/**
 * A tool that agents find at `/mcp`: one operation of the GraphQL API under a verb. Rights, limits, input errors and the
 * audit log are therefore those of the API, and no tool can do what the API cannot.
 * Each feature lists its own in `tools.ts`; lib/edges/mcp makes the schemas of input and output out of the operation.
 * See decision 196.
 */
export type AgentTool = {
  /** A verb and a noun: `list_projects`. */
  name: string
  /** The same for people, in a few words. */
  title: string
  /** When to use it, for the model: one or two sentences. */
  description: string
  /** The operation. Its variables are the input, what it selects is the output. */
  operation: string
  /** What it takes of an app: the permission or scope that the operation asks for first; absent where every token may. */
  takes?: Permission | Scope
  /** It deletes, or cuts somebody off. */
  destructive?: true
  /** To call it twice with the same input changes no more than once. */
  idempotent?: true
}
