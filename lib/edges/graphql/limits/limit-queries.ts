import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth'
import { GraphQLError, Kind, type ValidationRule } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { config } from '@/lib/base/config/env'

/** What the rules say, with how to mend it. */
function sentenceFor(message: string): string {
  const [, what, most, found] = /(Aliases|depth) limit of (\d+) exceeded, found (\d+)/.exec(message) ?? []
  return what === 'Aliases'
    ? `This query has ${found} aliases, and may have ${most}. Use fewer, or split it.`
    : `This query is ${found} levels deep, and may be ${most}. Ask for fewer levels, or split it.`
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
      context.reportError(new GraphQLError('Texts must not hold NUL.', { nodes: node }))
    }
  },
})

/** Limits on the form of a document: depth and aliases. What it costs is up to its variables too (check-cost.ts). */
export function limitQueries(): Plugin {
  const rules = [
    maxDepthRule({ n: config().GRAPHQL_MAX_DEPTH, ignoreIntrospection: true, ...reporting }),
    maxAliasesRule({ n: config().GRAPHQL_MAX_ALIASES, allowList: [], ...reporting }),
    noNul,
  ] as ValidationRule[]
  return {
    onValidate({ addValidationRule }) {
      for (const rule of rules) addValidationRule(rule)
    },
  }
}
