import { type DocumentNode, type ExecutionResult, GraphQLError, getOperationAST } from 'graphql'
import { createYoga } from 'graphql-yoga'
import { AppError } from '@/lib/errors/app-error'
import type { GraphQLContext } from './context'
import { isStringForId } from './ids-as-strings'
import { isIntrospectionOnly } from './introspection-only'
import { checkCost } from './limits/check-cost'
import { useQueryLimits } from './limits/use-query-limits'
import { RequestErrors } from './present-error'
import type { GraphQLParams } from './read-request'
import { schema } from './schema'

/**
 * Yoga's pipeline (plugins, parser and validation cache, execution) without its HTTP layer: handler.ts speaks HTTP
 * itself, straight from Node's request, because the contract's status codes differ from GraphQL over HTTP's and because
 * building a fetch Request and Response costs more than executing a small query. Errors are masked in present-error.ts.
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
    plugins: [useQueryLimits()],
  })

/** Made at the first request: the limits are settings, which a build does not have. */
let yoga: ReturnType<typeof makeYoga> | undefined

/** Validation compares fields pairwise; nobody writes a query of this many words by hand. */
const maxTokens = 5_000

/** A request whose document is sound, ready to be executed. */
export type Operation = {
  /** Asks for nothing but the schema, which is open to everyone. */
  introspection: boolean
  execute: () => Promise<ExecutionResult>
}

/**
 * Parses and validates.
 * @param context what the resolvers get; without a caller only an introspection may be executed
 * @throws RequestErrors; AppError BAD_REQUEST when `operationName` names no operation, QUERY_TOO_COMPLEX
 */
export function prepare(
  { query, variables, operationName }: GraphQLParams,
  context: GraphQLContext | Pick<GraphQLContext, 'traceId'>,
): Operation {
  yoga ??= makeYoga()
  const enveloped = yoga.getEnveloped(context)
  const document: DocumentNode = inPhase('GRAPHQL_PARSE_FAILED', () => enveloped.parse(query, { maxTokens }))
  const problems: readonly GraphQLError[] = inPhase('GRAPHQL_VALIDATION_FAILED', () =>
    enveloped.validate(enveloped.schema, document),
  )
  const errors = problems.filter((problem) => !isStringForId(problem))
  if (errors.length > 0) throw new RequestErrors('GRAPHQL_VALIDATION_FAILED', errors)
  const operation = getOperationAST(document, operationName)
  if (!operation) throw noSuchOperation(operationName)
  inPhase('GRAPHQL_VALIDATION_FAILED', () => checkCost(enveloped.schema, document, variables))
  return {
    introspection: isIntrospectionOnly(document, operation),
    execute: async () =>
      enveloped.execute({
        schema: enveloped.schema,
        document,
        contextValue: await enveloped.contextFactory(),
        variableValues: variables,
        operationName,
      }) as Promise<ExecutionResult>,
  }
}

function inPhase<T>(code: RequestErrors['code'], work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof GraphQLError) throw new RequestErrors(code, [error])
    // Whatever walks through a document calls itself for each level of it, before any limit on depth can count them.
    if (error instanceof RangeError) throw new AppError('QUERY_TOO_COMPLEX', 'This query nests too deep.')
    throw error
  }
}

const noSuchOperation = (name: string | undefined) =>
  new AppError(
    'BAD_REQUEST',
    name
      ? `The query holds no operation named "${name}".`
      : 'The query holds several operations, or none; say which in `operationName`.',
  )
