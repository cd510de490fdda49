import type { Tool } from '@modelcontextprotocol/server'
import { type GraphQLSchema, parse } from 'graphql'
import { type AgentTool, type Permission, permissions } from '@/lib/policy/permissions'
import { isScope, type Scope, scopeFor } from '@/lib/policy/scopes'
import type { ApiAnswer, ApiError } from './api'
import { inputSchema, operationOf, outputSchema } from './operation-schemas'
import type { ReadyTool } from './tool'

/**
 * Makes a tool out of an operation of the API.
 * @throws Error when the operation does not fit the schema: a fault of ours that every test of tools finds
 */
export function fromOperation(schema: GraphQLSchema, tool: AgentTool): ReadyTool {
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
