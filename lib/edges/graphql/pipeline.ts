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
  type SelectionSetNode,
  visit,
} from 'graphql'
import { createYoga } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import { AppError } from '@/lib/base/errors/app-error'
import { operationDuration } from '@/lib/base/telemetry/metrics'
import { recorder } from '@/lib/base/telemetry/telemetry'
import type { GraphQLContext } from './context'
import { executeWithinBudget } from './limits/answer-budget'
import { checkCost } from './limits/check-cost'
import { checkSize, limitQueries } from './limits/limit-queries'
import { RequestErrors } from './present-error'
import { schema } from './schema/index'
import type { GraphQLParams } from './transport'

/**
 * Returns whether an operation only requests the schema: `__schema`, `__type`, and `__typename` at its root.
 * Such an operation requires no token, because the schema is public, like /openapi.json.
 * @param document a valid document, whose fragments exist and do not form a cycle
 */
const isIntrospectionOnly = (document: DocumentNode, operation: OperationDefinitionNode): boolean =>
  operation.operation === 'query' &&
  rootFields(document, operation).every(({ name }) => name.value.startsWith('__'))

/**
 * Returns how many root fields an operation executes. Fields with the same response name are merged (GraphQL
 * specification, section 6.3.2). `@skip` and `@include` are ignored, as in the cost of an operation.
 * @param document a valid document
 */
const countRootFields = (document: DocumentNode, operation: OperationDefinitionNode): number =>
  new Set(rootFields(document, operation).map(({ alias, name }) => (alias ?? name).value)).size

function rootFields(document: DocumentNode, { selectionSet }: OperationDefinitionNode): FieldNode[] {
  const visited = new Set<string>()
  const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] =>
    selections.flatMap((each) => {
      if (each.kind === Kind.FIELD) return [each]
      if (each.kind === Kind.INLINE_FRAGMENT) return fieldsOf(each.selectionSet)
      // Visit each fragment once. Otherwise, a few fragments that spread each other twice would take
      // exponential time.
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

const misplaced = /^Variable "\$([^"]*)" of type "([^"]+)" used in position expecting type "([^"]+)"\.$/

/**
 * Returns the name of the variable if a validation error reports only that the variable for an ID was
 * declared as a string. IDs are strings on the wire, and many clients declare `$id: String!` instead of
 * `$id: ID!`, so both declarations are accepted.
 * @param error an error of `VariablesInAllowedPositionRule` (GraphQL specification, section 5.8.5)
 */
function stringForId(error: GraphQLError): string | undefined {
  const [, name, given, expected] = misplaced.exec(error.message) ?? []
  if (!given || !expected || !/\bString\b/.test(given)) return undefined
  const asId = given.replace(/\bString\b/, 'ID')
  return asId === expected || asId === `${expected}!` ? name : undefined
}

/** Returns a document in which variables are declared as IDs instead of strings. */
const withIds = (document: DocumentNode, names: readonly (string | undefined)[]): DocumentNode =>
  visit(document, {
    VariableDefinition: (definition) =>
      names.includes(definition.variable.name.value)
        ? visit(definition, {
            NamedType: ({ name, ...type }) =>
              name.value === 'String' ? { ...type, name: { ...name, value: 'ID' } } : undefined,
          })
        : undefined,
  })

/** The maximum number of root fields that a trace lists. Further fields are omitted. */
const maxFields = 10

type Result = ExecutionResult | Promise<ExecutionResult>

/**
 * Executes an operation. If telemetry is enabled, records the operation in the trace and in a duration
 * metric. The trace contains the operation's type and root fields. The metric also contains whether the
 * response has errors. The document, the operation name, and the variables come from the caller and are not
 * recorded.
 */
function watchOperation(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  execute: () => Result,
): Result {
  const recording = recorder()
  if (!recording) return execute()
  const type = operation.operation
  // The document is valid, so these fields exist in the schema, and their names can be labels. Arbitrary
  // names would create an unlimited number of metric labels.
  const fields = [...new Set(rootFields(document, operation).map(({ name }) => name.value))]
  const since = performance.now()
  const labels = { 'graphql.operation.type': type, 'graphql.fields': fields.slice(0, maxFields).join(' ') }
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
 * Creates a Yoga instance, which only parses and validates documents, with its plugins and caches. Yoga's
 * HTTP layer is not used. handler.ts handles Node's requests instead, because the contract's status codes
 * differ from GraphQL over HTTP, and because creating a fetch Request and Response costs more than executing
 * a small query. graphql-js executes the valid document. present-error.ts masks errors. See ADR 0011.
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

/** The Yoga instance. Undefined until the first document is parsed. */
let yoga: ReturnType<typeof makeYoga> | undefined

/** The maximum number of tokens in a document. Handwritten queries have far fewer. */
const maxTokens = 5_000

/**
 * The maximum number of characters in a cached document. Longer documents are rare and are parsed each time.
 */
const maxCachedLength = 8_000
/**
 * Valid documents by text. The cost also depends on variables, so it is checked each time. A parsed document
 * takes about 90 bytes per character, so the cache takes up to about 45 MB.
 */
const validDocuments = new LRUCache<string, DocumentNode>({
  max: 1_000,
  maxSize: 500_000,
  sizeCalculation: (_document, query) => query.length,
})

/** A request with a valid document, ready to be executed. */
export type Operation = {
  /** Whether the operation only requests the schema, which is public. */
  introspection: boolean
  /** The estimated cost and the limit, in points. */
  cost: { requested: number; budget: number }
  /** Whether the operation is a query. */
  reads: boolean
  /** The number of root fields of a mutation, or 0 for any other operation. */
  mutations: number
  execute: () => ExecutionResult | Promise<ExecutionResult>
  /** Whether the operation is a subscription. */
  subscribes: boolean
  /**
   * Starts the subscription and returns its events, or a result with errors if the subscription could not
   * start.
   */
  subscribe: () => Promise<AsyncIterable<unknown> | ExecutionResult>
  /** Executes the subscription for one event. */
  executeFor: (event: unknown, context: GraphQLContext) => ExecutionResult | Promise<ExecutionResult>
}

/**
 * Parses and validates an operation, and checks its cost. Does not execute the operation.
 * @param context the context of the resolvers. If it has no caller, execute the returned operation only if it
 *   is introspection
 * @throws RequestErrors if the document is invalid, is too deep, or has too many tokens or aliases, or if the
 *   schema does not support the type of operation; AppError BAD_REQUEST if the operation to execute is
 *   missing or ambiguous; AppError QUERY_TOO_COMPLEX if another limit is exceeded
 */
export function prepare(
  { query, variables, operationName }: GraphQLParams,
  context: GraphQLContext | Pick<GraphQLContext, 'traceId' | 'budget'>,
): Operation {
  const document = validDocuments.get(query) ?? validDocument(query)
  const operation = getOperationAST(document, operationName)
  if (!operation) throw noSuchOperation(operationName)
  // Check the type of the operation, because no validation rule rejects a type that the schema does not
  // support.
  if (!schema.getRootType(operation.operation)) throw unsupportedOperation(operation)
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
        executeWithinBudget(context.budget, () => execute({ ...request, contextValue: context })),
      ),
    subscribes: operation.operation === 'subscription',
    subscribe: () => createSourceEventStream({ ...request, contextValue: context }),
    executeFor: (rootValue, contextValue) =>
      watchOperation(document, operation, () =>
        executeWithinBudget(contextValue.budget, () => execute({ ...request, rootValue, contextValue })),
      ),
  }
}

/**
 * Returns whether a request is a subscription. Does not check the cost of the operation.
 * @throws the errors of `prepare` for an invalid document
 */
export const isSubscription = ({ query, operationName }: GraphQLParams): boolean =>
  getOperationAST(validDocuments.get(query) ?? validDocument(query), operationName)?.operation ===
  'subscription'

/**
 * Parses and validates a document. Caches a valid document unless it is too long.
 * @throws RequestErrors, or AppError QUERY_TOO_COMPLEX if the document is too large or is nested too deeply
 * to be parsed
 */
function validDocument(query: string): DocumentNode {
  yoga ??= makeYoga()
  const enveloped = yoga.getEnveloped({})
  const parsed: DocumentNode = inPhase('GRAPHQL_PARSE_FAILED', () => enveloped.parse(query, { maxTokens }))
  inPhase('GRAPHQL_VALIDATION_FAILED', () => checkSize(parsed))
  const problems: readonly GraphQLError[] = inPhase('GRAPHQL_VALIDATION_FAILED', () =>
    enveloped.validate(enveloped.schema, parsed),
  )
  const errors = problems.filter((problem) => stringForId(problem) === undefined)
  if (errors.length > 0) throw new RequestErrors('GRAPHQL_VALIDATION_FAILED', errors)
  const document = problems.length > 0 ? withIds(parsed, problems.map(stringForId)) : parsed
  if (query.length <= maxCachedLength) validDocuments.set(query, document)
  return document
}

function inPhase<T>(code: RequestErrors['code'], work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof GraphQLError) throw new RequestErrors(code, [error])
    // A RangeError means that the stack is exhausted. The parser and visitors call themselves for each level,
    // so this can happen with a deeply nested document before the depth limit applies.
    if (error instanceof RangeError)
      throw new AppError('QUERY_TOO_COMPLEX', 'This query is nested too deeply. Request fewer levels.')
    throw error
  }
}

const unsupportedOperation = (operation: OperationDefinitionNode) =>
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
      : 'The query contains no operation or more than one. Name one in `operationName`.',
  )
