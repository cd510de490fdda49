import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth'
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { graphqlLimits } from '@/lib/base/config/limits'
import { limitKey } from '@/lib/base/db/limits'
import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { remember } from '@/lib/base/process/remember'
import { limitsReached } from '@/lib/base/telemetry/metrics'

/**
 * Converts the message of the alias rule or the depth rule to a message that explains how to fix the query.
 */
function sentenceFor(message: string): string {
  const [, what, most, found] = /(Aliases|depth) limit of (\d+) exceeded, found (\d+)/.exec(message) ?? []
  return what === 'Aliases'
    ? `This query has ${found} aliases, and the limit is ${most}. Use fewer aliases, or split the query.`
    : `This query is ${found} levels deep, and the limit is ${most}. Request fewer levels, or split the query.`
}

/**
 * The options that make a rule report a QUERY_TOO_COMPLEX error instead of throwing an error. Yoga caches a
 * validation result only if no rule throws.
 */
const reporting = {
  propagateOnRejection: false,
  onReject: [
    (context: { reportError: (error: GraphQLError) => void } | null, error: GraphQLError) =>
      context?.reportError(
        new GraphQLError(sentenceFor(error.message), { extensions: { code: 'QUERY_TOO_COMPLEX' } }),
      ),
  ],
}

/** A rule that rejects documents whose strings contain NUL characters, which PostgreSQL cannot store. */
const noNul: ValidationRule = (context) => ({
  [Kind.STRING](node) {
    if (node.value.includes('\0')) {
      context.reportError(new GraphQLError('Strings must not contain NUL characters.', { nodes: node }))
    }
  },
})

/**
 * Returns the plugin that limits a document's depth and number of aliases, and rejects NUL characters in its
 * strings. check-cost.ts limits the cost of an operation.
 */
export function limitQueries(): Plugin {
  const rules = [
    maxDepthRule({ n: graphqlLimits.depth, ignoreIntrospection: true, ...reporting }),
    maxAliasesRule({ n: graphqlLimits.aliases, allowList: [], ...reporting }),
    noNul,
  ] as ValidationRule[]
  return {
    onValidate({ addValidationRule }) {
      for (const rule of rules) addValidationRule(rule)
    },
  }
}

/**
 * The maximum number of fields and fragments in a document. Handwritten and generated queries have about a
 * tenth of this number.
 */
const maxSelections = 500

/**
 * The maximum length of an alias. The length is limited because the response repeats the alias in every row
 * and in the path of every error.
 */
const maxAliasLength = 100

/**
 * Checks the number of fields and fragments and the length of aliases in a document before the document is
 * validated. Validation compares fields in pairs (GraphQL specification, section 5.3.2), so a document that
 * is twice as large takes four times as long to validate.
 * @throws AppError QUERY_TOO_COMPLEX if a limit is exceeded
 */
export function checkSize(document: DocumentNode): void {
  let selections = 0
  const count = (set: SelectionSetNode | undefined): void => {
    if (!set) return
    selections += set.selections.length
    if (selections > maxSelections) {
      throw new AppError(
        'QUERY_TOO_COMPLEX',
        `This query has more than ${maxSelections} fields and fragments. Request fewer fields, or split the query.`,
      )
    }
    for (const each of set.selections) {
      if (each.kind === Kind.FRAGMENT_SPREAD) continue
      if (each.kind === Kind.FIELD) checkAlias(each)
      count(each.selectionSet)
    }
  }
  for (const each of document.definitions) if ('selectionSet' in each) count(each.selectionSet)
}

function checkAlias({ alias }: FieldNode): void {
  if (!alias || alias.value.length <= maxAliasLength) return
  throw new AppError(
    'QUERY_TOO_COMPLEX',
    `The alias "${alias.value.slice(0, 20)}..." is longer than ${maxAliasLength} characters. Shorten it.`,
  )
}

const limiter = () => remember('graphql-anonymous', () => new RateLimiterMemory({ duration: 60, points: 1 }))

/**
 * Counts a request without a token against the limit of its IP address. The limit protects the CPU time of
 * this process, so the counts are in memory. A database write would cost more than the request (ADR 0012).
 * @param address the IP address. If it is undefined, the request is neither counted nor limited
 * @param points the maximum number of requests per minute
 * @throws AppError RATE_LIMITED with `retryAfter` if the limit is reached
 */
export async function limitUnauthenticated(
  address: string | undefined,
  points = graphqlLimits.anonymousPerMinute,
): Promise<void> {
  if (!address) return
  const counts = limiter()
  counts.points = points
  try {
    await counts.consume(limitKey(address))
  } catch (refusal) {
    log.warn('a limit was reached', { name: 'graphql-anonymous' })
    limitsReached.add({ limit: 'graphql-anonymous' })
    const retryAfter = Math.max(1, Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000))
    throw new AppError(
      'RATE_LIMITED',
      `Your IP address reached the limit of ${points} requests per minute without a token. Wait, or send a token.`,
      { retryAfter },
    )
  }
}
