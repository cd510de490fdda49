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

/** What the rules say, with how to mend it. */
function sentenceFor(message: string): string {
  const [, what, most, found] = /(Aliases|depth) limit of (\d+) exceeded, found (\d+)/.exec(message) ?? []
  return what === 'Aliases'
    ? `This query has ${found} aliases, and the limit is ${most}. Use fewer, or split it.`
    : `This query is ${found} levels deep, and the limit is ${most}. Request fewer levels, or split it.`
}

/** Reports instead of throwing, so that the outcome is kept with the document, and gives the error its code. */
const reporting = {
  propagateOnRejection: false,
  onReject: [
    (context: { reportError: (error: GraphQLError) => void } | null, error: GraphQLError) =>
      context?.reportError(
        new GraphQLError(sentenceFor(error.message), { extensions: { code: 'QUERY_TOO_COMPLEX' } }),
      ),
  ],
}

/** PostgreSQL stores no NUL, and nothing here is named with one. */
const noNul: ValidationRule = (context) => ({
  [Kind.STRING](node) {
    if (node.value.includes('\0')) {
      context.reportError(new GraphQLError('Strings must not contain NUL.', { nodes: node }))
    }
  },
})

/** Limits on the form of a document: depth and aliases. What it costs is up to its variables too (check-cost.ts). */
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

/** Fields and fragments that a document may name; a query written by hand or by a generator has a tenth of it. */
const maxSelections = 500

/** Characters of an alias. The answer repeats it for every row, and in the path of every error. */
const maxAliasLength = 100

/**
 * Bounds a document before it is validated: whether fields can be merged is decided by comparing them in pairs (GraphQL
 * specification, section 5.3.2), which takes four times as long for a document twice as large.
 * @throws AppError QUERY_TOO_COMPLEX
 */
export function checkSize(document: DocumentNode): void {
  let selections = 0
  const count = (set: SelectionSetNode | undefined): void => {
    if (!set) return
    selections += set.selections.length
    if (selections > maxSelections) {
      throw new AppError(
        'QUERY_TOO_COMPLEX',
        `This query has more than ${maxSelections} fields and fragments. Request fewer, or split it.`,
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
 * Counts a request without a token against the address it comes from. In memory, for each process: what it guards is the
 * process's time, and a write for each such request would cost more than the request (ADR 0015).
 * @param address undefined where it is not known; then nothing is counted
 * @param points requests that it may send a minute
 * @throws AppError RATE_LIMITED with `retryAfter`
 */
export async function limitStranger(
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
      `Without a token, an address can send ${points} requests a minute. Wait, or send a token.`,
      { retryAfter },
    )
  }
}
