import { costLimitRule } from '@escape.tech/graphql-armor-cost-limit'
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  TypeInfo,
  type ValidationContext,
  type ValidationRule,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { config } from '@/lib/config/env'
import { defaultPageSize, maxPageSize } from '@/lib/db/keyset'
import { AppError } from '@/lib/errors/app-error'

/**
 * What a query may cost: an object counts 2, a scalar 1, everything below a connection times its page size. The rule that
 * adds this up sees the document alone, so page sizes that come from variables, or from nowhere, are written into a copy
 * of it first.
 */
type Pricing = { pageVariables: string[]; costs: Map<string, number> }

const pricings = new WeakMap<DocumentNode, Pricing>()

/** Different page sizes of one document that are remembered. */
const maxRemembered = 100

/**
 * Adds up what an operation costs with these variables, once for each combination of page sizes.
 * @param document validated
 * @throws AppError QUERY_TOO_COMPLEX
 */
export function checkCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Record<string, unknown> | undefined,
): void {
  const pricing = pricings.get(document) ?? { pageVariables: pageVariablesOf(document), costs: new Map() }
  pricings.set(document, pricing)
  const sizes = pricing.pageVariables.map((name) => variables?.[name])
  const key = JSON.stringify(sizes)
  let cost = pricing.costs.get(key)
  if (cost === undefined) {
    cost = costOf(schema, document, variables)
    if (pricing.costs.size < maxRemembered) pricing.costs.set(key, cost)
  }
  const budget = config().GRAPHQL_MAX_COST
  if (cost <= budget) return
  throw new AppError(
    'QUERY_TOO_COMPLEX',
    `This query costs ${cost} points of ${budget}. Ask for smaller pages, or for less of each row.`,
  )
}

function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Record<string, unknown> | undefined,
): number {
  let highest = 0
  const rule = costLimitRule({
    maxCost: Number.MAX_SAFE_INTEGER,
    objectCost: 2,
    scalarCost: 1,
    depthCostFactor: 1,
    ignoreIntrospection: true,
    onAccept: [
      (_context: ValidationContext | null, { n }: { n: number }) => {
        highest = Math.max(highest, n)
      },
    ],
  }) as ValidationRule
  validate(schema, withPageSizes(schema, document, variables), [rule])
  return highest
}

const isPageSize = (argument: ArgumentNode) =>
  argument.name.value === 'first' || argument.name.value === 'last'

/** A copy of a document in which every connection says its page size as a number. */
function withPageSizes(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Record<string, unknown> | undefined,
): DocumentNode {
  const types = new TypeInfo(schema)
  return visit(
    document,
    visitWithTypeInfo(types, {
      [Kind.FIELD](node: FieldNode) {
        const pages = types.getFieldDef()?.args.some((argument) => argument.name === 'first')
        if (!pages) return undefined
        const size = Math.max(0, ...(node.arguments ?? []).filter(isPageSize).map(sizeIn(variables)))
        return { ...node, arguments: [pageSize(size || defaultPageSize)] }
      },
    }),
  )
}

/** A size that is no number fails on its own; until then it counts as the largest. */
const sizeIn =
  (variables: Record<string, unknown> | undefined) =>
  ({ value }: ArgumentNode): number => {
    if (value.kind === Kind.INT) return Number(value.value)
    if (value.kind !== Kind.VARIABLE) return 0
    const given = variables?.[value.name.value]
    return given == null ? 0 : typeof given === 'number' ? given : maxPageSize
  }

const pageSize = (size: number): ArgumentNode => ({
  kind: Kind.ARGUMENT,
  name: { kind: Kind.NAME, value: 'first' },
  value: { kind: Kind.INT, value: String(size) },
})

function pageVariablesOf(document: DocumentNode): string[] {
  const names = new Set<string>()
  visit(document, {
    [Kind.ARGUMENT](node) {
      if (isPageSize(node) && node.value.kind === Kind.VARIABLE) names.add(node.value.name.value)
    },
  })
  return [...names]
}
