import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  parse,
  printType,
} from 'graphql'
import type { ApiAnswer, ReadyTool } from './api'

const anyObject = { type: 'object', additionalProperties: true } as const

const operationInput = {
  type: 'object' as const,
  properties: {
    query: { type: 'string', description: 'One GraphQL operation.' },
    variables: { ...anyObject, description: 'The operation’s variables.' },
  },
  required: ['query'],
  additionalProperties: false,
}

/**
 * Returns the tools for operations that have no tool of their own: a schema search, and tools that run any
 * query or mutation.
 */
export const graphqlTools = (schema: GraphQLSchema): ReadyTool[] => [
  {
    listed: {
      name: 'describe_schema',
      title: 'Describe the GraphQL schema',
      description:
        'Searches the GraphQL schema by words, such as `webhook`. The exact name of a type returns its fields. Use it before `run_query` and `run_mutation`, when no other tool fits.',
      inputSchema: {
        type: 'object',
        properties: { search: { type: 'string', description: 'Words, or the exact name of a type.' } },
        required: ['search'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: {
          total: { type: 'integer' },
          found: {
            type: 'array',
            items: {
              type: 'object',
              properties: { kind: { type: 'string' }, name: { type: 'string' }, sdl: { type: 'string' } },
              required: ['kind', 'name', 'sdl'],
            },
          },
        },
        required: ['total', 'found'],
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    call: async (_api, _asking, { search }) => ({
      status: 200,
      data: searchSchema(schema, String(search ?? '')),
    }),
  },
  {
    listed: {
      name: 'run_query',
      title: 'Run a GraphQL query',
      description: 'Runs a GraphQL query, which changes nothing. Select few fields and small pages.',
      inputSchema: operationInput,
      outputSchema: anyObject,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    call: async (api, asking, input) =>
      kindOf(input.query) === 'mutation'
        ? refused('This is a mutation. Use run_mutation instead.')
        : api.run(asking, operationFrom(input)),
  },
  {
    listed: {
      name: 'run_mutation',
      title: 'Run a GraphQL mutation',
      description:
        'Runs a GraphQL mutation, which can change or delete anything that the token gives access to.',
      inputSchema: operationInput,
      outputSchema: anyObject,
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    call: async (api, asking, input) =>
      kindOf(input.query) === 'query'
        ? refused('This is a query. Use run_query instead.')
        : api.run(asking, operationFrom(input)),
  },
]

const operationFrom = ({ query, variables }: Record<string, unknown>) => ({
  query: String(query ?? ''),
  ...(typeof variables === 'object' && variables !== null
    ? { variables: variables as Record<string, unknown> }
    : {}),
})

/**
 * Returns the kind of the operation in a document. If the document contains several operations, returns the
 * first kind other than query, if any. Returns undefined if the text is invalid or too long, or contains no
 * operation. The API then reports the error.
 */
function kindOf(query: unknown): 'query' | 'mutation' | 'subscription' | undefined {
  try {
    const { definitions } = parse(String(query), { noLocation: true, maxTokens: 5_000 })
    const kinds = definitions.flatMap((each) => (each.kind === 'OperationDefinition' ? [each.operation] : []))
    return kinds.find((kind) => kind !== 'query') ?? kinds[0]
  } catch {
    return undefined
  }
}

const refused = (message: string): ApiAnswer => ({
  status: 400,
  data: null,
  errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }],
})

/**
 * The maximum number of operations and types in a search result. A longer result would use too much of an
 * agent's context.
 */
const most = 15

type Found = { kind: 'query' | 'mutation' | 'type'; name: string; sdl: string }

/**
 * Searches the API's queries, mutations, object types, input types, and enums. In each match, the name or the
 * description contains all words of the search, regardless of case.
 * @param search words, such as `webhook create`, or the exact name of a type of any kind, which returns that
 * type in full
 * @returns the first matches, up to `most`, and the total number of matches. The matches with the most words
 *   in the name come first. An operation is shown by its signature, and a type by its name and description
 */
function searchSchema(schema: GraphQLSchema, search: string): { found: Found[]; total: number } {
  const exact = schema.getType(search.trim())
  if (exact && !isIntrospectionType(exact)) return { found: [wholeType(exact)], total: 1 }
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = entriesOf(schema).flatMap((entry) => {
    const name = entry.name.toLowerCase()
    const text = `${name} ${entry.description.toLowerCase()}`
    if (!words.every((word) => text.includes(word))) return []
    return [{ entry, rank: words.filter((word) => name.includes(word)).length }]
  })
  matching.sort((a, b) => b.rank - a.rank || a.entry.name.localeCompare(b.entry.name))
  return { found: matching.slice(0, most).map(({ entry }) => entry.tell()), total: matching.length }
}

type Entry = { name: string; description: string; tell: () => Found }

function entriesOf(schema: GraphQLSchema): Entry[] {
  const query = schema.getQueryType()
  const mutation = schema.getMutationType()
  const fields = (kind: 'query' | 'mutation', type: typeof query): Entry[] =>
    Object.values(type?.getFields() ?? {}).map((field) => ({
      name: field.name,
      description: field.description ?? '',
      tell: () => ({ kind, name: field.name, sdl: fieldSdl(field) }),
    }))
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && type !== query && type !== mutation)
    .filter((type) => isObjectType(type) || isInputObjectType(type) || isEnumType(type))
    .map((type) => ({
      name: type.name,
      description: type.description ?? '',
      tell: () => ({
        kind: 'type' as const,
        name: type.name,
        sdl: `${type.name}: ${type.description ?? ''}`,
      }),
    }))
  return [...fields('query', query), ...fields('mutation', mutation), ...types]
}

/** Returns the signature of an operation on one line, with its description. */
function fieldSdl({ name, args, type, description }: GraphQLField<unknown, unknown>): string {
  const inside = args.map((arg) => `${arg.name}: ${arg.type}`).join(', ')
  return `${name}${inside && `(${inside})`}: ${type} # ${description ?? ''}`
}

const wholeType = (type: GraphQLNamedType): Found => ({
  kind: 'type',
  name: type.name,
  sdl: printType(type)
    .replace(/"""\n\s*/g, '# ')
    .replace(/\n\s*"""/g, ''),
})
