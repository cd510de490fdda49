import type { Tool } from '@modelcontextprotocol/server'
import { type GraphQLSchema, parse } from 'graphql'
import { apiTokenTools } from '@/lib/features/api-tokens/tools'
import { appTools } from '@/lib/features/apps/tools'
import { auditTools } from '@/lib/features/audit/tools'
import { identityTools } from '@/lib/features/identity/tools'
import { notificationTools } from '@/lib/features/notifications/tools'
import { environmentTools, projectTools, variableTools } from '@/lib/features/projects/tools'
import { searchTools } from '@/lib/features/search/tools'
import { workspaceTools } from '@/lib/features/workspaces/tools'
import { type Actor, isApp } from '@/lib/policy/actor'
import { type AgentTool, type Permission, permissions } from '@/lib/policy/permissions'
import { isScope, type Scope, scopeFor, withIncluded } from '@/lib/policy/scopes'
import type { ApiAnswer, ApiError, ReadyTool } from './api'
import { graphqlTools } from './graphql-tools'
import { inputSchema, operationOf, outputSchema } from './operation-schemas'

export type ToolBox = {
  /** What there is for a caller. An app is told of those that take a scope which its token lacks. */
  list: (actor: Actor) => Tool[]
  find: (name: string) => ReadyTool | undefined
}

/** Every tool, its schemas made once for the process. */
export function makeToolBox(schema: GraphQLSchema): ToolBox {
  const tools = [...allTools.map((tool) => fromOperation(schema, tool)), ...graphqlTools(schema)]
  const byName = new Map(tools.map((tool) => [tool.listed.name, tool]))
  return {
    list: (actor) => tools.map(toldTo(actor)),
    find: (name) => byName.get(name),
  }
}

const toldTo = (actor: Actor) => {
  const held = isApp(actor) ? new Set(withIncluded([...actor.scopes])) : undefined
  return ({ listed, scope }: ReadyTool): Tool => {
    if (!held || !scope || suffices(held, scope)) return listed
    const lacking = `Takes the scope ${scope}, which this token lacks: to call it asks the person for it.`
    return { ...listed, description: `${listed.description} ${lacking}`, _meta: { 'latchkey/takes': scope } }
  }
}

/** A role in the workspace carries over to its projects. */
const suffices = (held: ReadonlySet<string>, scope: string): boolean =>
  held.has(scope) || held.has(scope.replace(/^project:/, 'workspace:'))

/** Every tool that is an operation, in the order agents read them. A noun of your own adds its list here (docs/extending.md). */
export const allTools: readonly AgentTool[] = [
  ...identityTools,
  ...searchTools,
  ...workspaceTools,
  ...projectTools,
  ...environmentTools,
  ...variableTools,
  ...appTools,
  ...apiTokenTools,
  ...auditTools,
  ...notificationTools,
]

/**
 * Makes a tool out of an operation of the API.
 * @throws Error when the operation does not fit the schema: a fault of ours that every test of tools finds
 */
function fromOperation(schema: GraphQLSchema, tool: AgentTool): ReadyTool {
  const document = parse(tool.operation, { noLocation: true })
  const reads = operationOf(document).operation === 'query'
  const { name, title, description, operation: query } = tool
  return {
    listed: {
      name,
      title,
      description,
      inputSchema: inputSchema(schema, document) as Tool['inputSchema'],
      outputSchema: outputSchema(schema, document) as Tool['outputSchema'],
      annotations: {
        readOnlyHint: reads,
        destructiveHint: tool.destructive ?? false,
        idempotentHint: reads || (tool.idempotent ?? false),
        openWorldHint: false,
      },
    },
    scope: tool.takes && scopeOf(tool.takes),
    call: async (api, asking, variables) => withArguments(await api.run(asking, { query, variables })),
  }
}

/**
 * Renames what the API says about a variable: each is an argument of the tool, and the caller knows of no GraphQL.
 * @returns the same answer, with BAD_USER_INPUT and the name of the argument for a value that does not fit
 */
const withArguments = (answer: ApiAnswer): ApiAnswer =>
  answer.errors ? { ...answer, errors: answer.errors.map(aboutArgument) } : answer

const unfit = /^Variable "\$(\w+)" (?:is not valid(?: at "\1([^"]*)")?: ([\s\S]*)|of [\s\S]*)$/

function aboutArgument(error: ApiError): ApiError {
  const [matched, name, below = '', why] = unfit.exec(error.message) ?? []
  if (matched === undefined) return error
  const message = why ? `${name}${below} is invalid: ${why}` : `${name} is required.`
  return { ...error, message, extensions: { ...error.extensions, code: 'BAD_USER_INPUT' } }
}

/** The least scope that carries a permission. */
const scopeOf = (takes: Permission | Scope): Scope =>
  isScope(takes) ? takes : scopeFor(permissions[takes].on, permissions[takes].role)
