import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FieldNode,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { createYoga } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import { AppError } from '@/lib/base/errors/app-error'
import { operationDuration } from '@/lib/base/telemetry/metrics'
import { recorder } from '@/lib/base/telemetry/telemetry'
import type { GraphQLContext } from './context'
import { executeWithin } from './limits/answer-budget'
import { checkCost } from './limits/check-cost'
import { checkSize, limitQueries } from './limits/limit-queries'
import { RequestErrors } from './present-error'
import { schema } from './schema/index'
import type { GraphQLParams } from './transport'

/**
 * Returns whether an operation asks for the schema alone: `__schema`, `__type` and `__typename` at its root. The schema is
 * public, as /openapi.json is, so this needs no token.
 * @param document validated, so that its fragments exist and do not form a cycle
 */
const isIntrospectionOnly = (document: DocumentNode, operation: OperationDefinitionNode): boolean =>
  operation.operation === 'query' &&
  rootFields(document, operation).every(({ name }) => name.value.startsWith('__'))

/**
 * Returns how many fields an operation executes at its root. Fields of one response name are merged into one
 * (GraphQL specification, section 6.3.2). `@skip` and `@include` do not count, as in the price of an operation.
 * @param document validated
 */
const countRootFields = (document: DocumentNode, operation: OperationDefinitionNode): number =>
  new Set(rootFields(document, operation).map(({ alias, name }) => (alias ?? name).value)).size

function rootFields(document: DocumentNode, { selectionSet }: OperationDefinitionNode): FieldNode[] {
  const visited = new Set<string>()
  const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] =>
    selections.flatMap((each) => {
      if (each.kind === Kind.FIELD) return [each]
      if (each.kind === Kind.INLINE_FRAGMENT) return fieldsOf(each.selectionSet)
      // A few fragments that spread each other twice would otherwise be walked through without end.
      if (visited.has(each.name.value)) return []
      visited.add(each.name.value)
      const fragment = document.definitions.find(
        (definition) =>
          definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === each.name.value,
      )
      return fragment?.kind === Kind.FRAGMENT_DEFINITION ? fieldsOf(fragment.selectionSet) : []
    })
  return fieldsOf(selectionSet)
}

const misplaced = /^Variable "[^"]*" of type "([^"]+)" used in position expecting type "([^"]+)"\.$/

/**
 * Whether a validation error says no more than that a variable for an id was declared as a string. Ids are strings on the
 * wire, and clients written for APIs of this kind declare `$id: String!` as often as `$id: ID!`; both are taken.
 * @param error as `VariablesInAllowedPositionRule` reports it (GraphQL specification, section 5.8.5)
 */
function isStringForId(error: GraphQLError): boolean {
  const [, given, expected] = misplaced.exec(error.message) ?? []
  if (!given || !expected || !/\bString\b/.test(given)) return false
  const asId = given.replace(/\bString\b/, 'ID')
  return asId === expected || asId === `${expected}!`
}

/** Longer lists are cut: a query may ask for many fields at once. */
const mostFields = 10

/** The names of the fields at the root of an operation, each once. They are the schema's: the document was found sound. */
function rootFieldsOfWatchOperation(
  { definitions }: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): string[] {
  const names = new Set<string>()
  const collect = (selections: readonly SelectionNode[]): void => {
    for (const selection of selections) {
      if (selection.kind === 'Field') names.add(selection.name.value)
      else if (selection.kind === 'InlineFragment') collect(selection.selectionSet.selections)
      else {
        const { value } = selection.name
        const found = definitions.find(
          (each) => each.kind === 'FragmentDefinition' && each.name.value === value,
        )
        if (found && 'selectionSet' in found) collect(found.selectionSet.selections)
      }
    }
  }
  collect(selectionSet.selections)
  return [...names]
}

type Result = ExecutionResult | Promise<ExecutionResult>

/**
 * Measures an operation that is about to be executed, as a step of its request: whether it reads or writes, and the fields at
 * its root. Neither its text and name, which the caller chose, nor its variables.
 */
function watchOperation(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  execute: () => Result,
): Result {
  const recording = recorder()
  if (!recording) return execute()
  const type = operation.operation
  const fields = rootFieldsOfWatchOperation(document, operation)
  const since = performance.now()
  const labels = { 'graphql.operation.type': type, 'graphql.fields': fields.slice(0, mostFields).join(' ') }
  return recording.within({ name: `${type} ${fields[0]}`, labels }, async (end) => {
    const result = await execute()
    const failure = result.errors ? 'errors' : undefined
    end(failure)
    operationDuration.record((performance.now() - since) / 1000, {
      'graphql.operation.type': type,
      field: fields.length === 1 ? fields[0] : 'several',
      'error.type': failure,
    })
    return result
  })
}

/**
 * Yoga's parsing and validation (plugins, caches) without its HTTP layer: handler.ts speaks HTTP itself, straight from
 * Node's request, because the contract's status codes differ from GraphQL over HTTP's and because building a fetch Request
 * and Response costs more than executing a small query. What it found sound is executed by graphql-js itself
 * (ADR 0014). Errors are masked in present-error.ts.
 * See ADR 0014.
 */
const makeYoga = () =>
  createYoga<object, GraphQLContext>({
    schema,
    graphqlEndpoint: '/graphql/v2',
    maskedErrors: false,
    batching: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    plugins: [limitQueries()],
  })

/** Made at the first request. */
let yoga: ReturnType<typeof makeYoga> | undefined

/** Nobody writes a query of this many words by hand. */
const maxTokens = 5_000

/** Longer documents are rare and are parsed each time. */
const longestKept = 8_000
/**
 * Valid documents by their text; the cost also depends on variables and is checked each time. A parsed document takes
 * about 90 bytes per character of its text, so all of them together take about 45 MB at most.
 */
const sound = new LRUCache<string, DocumentNode>({
  max: 1_000,
  maxSize: 500_000,
  sizeCalculation: (_document, query) => query.length,
})

/** A request whose document is sound, ready to be executed. */
export type Operation = {
  /** Asks for nothing but the schema, which is open to everyone. */
  introspection: boolean
  /** What it costs at most, of how much, in points. */
  cost: { requested: number; budget: number }
  /** Changes nothing. */
  reads: boolean
  /** How many mutations it holds: the fields at its root. 0 for a query. */
  mutations: number
  execute: () => ExecutionResult | Promise<ExecutionResult>
  /** Is a subscription, which is followed in place of being executed. */
  subscribes: boolean
  /** Begins to follow; an answer with errors says why that cannot be. */
  subscribe: () => Promise<AsyncIterable<unknown> | ExecutionResult>
  /** Executes a subscription for what it brought. */
  executeFor: (event: unknown, context: GraphQLContext) => ExecutionResult | Promise<ExecutionResult>
}

/**
 * Parses and validates.
 * @param context what the resolvers get; without a caller only an introspection may be executed
 * @throws RequestErrors; AppError BAD_REQUEST when `operationName` names no operation, QUERY_TOO_COMPLEX
 */
export function prepare(
  { query, variables, operationName }: GraphQLParams,
  context: GraphQLContext | Pick<GraphQLContext, 'traceId' | 'budget'>,
): Operation {
  const document = sound.get(query) ?? soundDocument(query)
  const operation = getOperationAST(document, operationName)
  if (!operation) throw noSuchOperation(operationName)
  // No rule of validation minds an operation of a kind that the schema does not have.
  if (!schema.getRootType(operation.operation)) throw notOfSchema(operation)
  const cost = inPhase('GRAPHQL_VALIDATION_FAILED', () =>
    checkCost(schema, document, operation, variables, context.budget.limits.cost),
  )
  const request = { schema, document, variableValues: variables, operationName }
  return {
    cost,
    get introspection() {
      return isIntrospectionOnly(document, operation)
    },
    reads: operation.operation === 'query',
    mutations: operation.operation === 'mutation' ? countRootFields(document, operation) : 0,
    execute: () =>
      watchOperation(document, operation, () =>
        executeWithin(context.budget, () => execute({ ...request, contextValue: context })),
      ),
    subscribes: operation.operation === 'subscription',
    subscribe: () => createSourceEventStream({ ...request, contextValue: context }),
    executeFor: (rootValue, contextValue) =>
      watchOperation(document, operation, () =>
        executeWithin(contextValue.budget, () => execute({ ...request, rootValue, contextValue })),
      ),
  }
}

/**
 * Whether a request is a subscription, which is followed in place of being executed. What it costs is not asked here.
 * @throws as `prepare` for a text that is not sound
 */
export const isSubscription = ({ query, operationName }: GraphQLParams): boolean =>
  getOperationAST(sound.get(query) ?? soundDocument(query), operationName)?.operation === 'subscription'

/** Parses and validates a text, and caches the document if it is valid. */
function soundDocument(query: string): DocumentNode {
  yoga ??= makeYoga()
  const enveloped = yoga.getEnveloped({})
  const document: DocumentNode = inPhase('GRAPHQL_PARSE_FAILED', () => enveloped.parse(query, { maxTokens }))
  inPhase('GRAPHQL_VALIDATION_FAILED', () => checkSize(document))
  const problems: readonly GraphQLError[] = inPhase('GRAPHQL_VALIDATION_FAILED', () =>
    enveloped.validate(enveloped.schema, document),
  )
  const errors = problems.filter((problem) => !isStringForId(problem))
  if (errors.length > 0) throw new RequestErrors('GRAPHQL_VALIDATION_FAILED', errors)
  if (query.length <= longestKept) sound.set(query, document)
  return document
}

function inPhase<T>(code: RequestErrors['code'], work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof GraphQLError) throw new RequestErrors(code, [error])
    // Whatever walks through a document calls itself for each level of it, before any limit on depth can count them.
    if (error instanceof RangeError)
      throw new AppError('QUERY_TOO_COMPLEX', 'This query is nested too deeply.')
    throw error
  }
}

const notOfSchema = (operation: OperationDefinitionNode) =>
  new RequestErrors('GRAPHQL_VALIDATION_FAILED', [
    new GraphQLError(`Schema is not configured to execute ${operation.operation} operation.`, {
      nodes: operation,
    }),
  ])

const noSuchOperation = (name: string | undefined) =>
  new AppError(
    'BAD_REQUEST',
    name
      ? `The query contains no operation named "${name}".`
      : 'The query contains no operation or several. Name one in `operationName`.',
  )
