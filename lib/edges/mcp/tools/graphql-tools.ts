import { type GraphQLSchema, parse } from 'graphql'
import type { ApiAnswer } from './api'
import { searchSchema } from './search-schema'
import type { ReadyTool } from './tool'

const anyObject = { type: 'object', additionalProperties: true } as const

const operationInput = {
  type: 'object' as const,
  properties: {
    query: { type: 'string', description: 'One GraphQL operation.' },
    variables: { ...anyObject, description: 'Its variables.' },
  },
  required: ['query'],
  additionalProperties: false,
}

/** What no tool of its own does: the whole API, to be looked through and to be used. */
export const graphqlTools = (schema: GraphQLSchema): ReadyTool[] => [
  {
    listed: {
      name: 'describe_schema',
      title: 'Describe the GraphQL schema',
      description:
        'Searches the GraphQL schema by words, such as `webhook`; the exact name of a type answers its fields. Use it before `run_query` and `run_mutation`, when no other tool fits.',
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
        ? refused('This is a mutation: use run_mutation.')
        : api.run(asking, operationFrom(input)),
  },
  {
    listed: {
      name: 'run_mutation',
      title: 'Run a GraphQL mutation',
      description: 'Runs a GraphQL mutation, which may change or delete anything that the token may.',
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
        ? refused('This is a query: use run_query.')
        : api.run(asking, operationFrom(input)),
  },
]

const operationFrom = ({ query, variables }: Record<string, unknown>) => ({
  query: String(query ?? ''),
  ...(typeof variables === 'object' && variables !== null
    ? { variables: variables as Record<string, unknown> }
    : {}),
})

/** What kind of operation a text holds; undefined for none that can be read, of which the API says what is wrong. */
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
