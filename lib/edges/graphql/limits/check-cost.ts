import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import { config } from '@/lib/base/config/env'
import { AppError } from '@/lib/base/errors/app-error'
import { costOf, isIds, isPageSize } from './cost-of'

type Variables = Record<string, unknown> | undefined

/** What an operation costs depends on its variables as far as they are page sizes or ids, of which the number counts, and on nothing else. See decision 023. */
type Pricing = { variables: string[]; costs: Map<string, number> }

const pricings = new WeakMap<OperationDefinitionNode, Pricing>()

/** Different sizes of one operation that are remembered. */
const maxRemembered = 100

/**
 * Adds up what an operation costs with these variables, once for each combination of sizes.
 * @param document validated
 * @returns what it costs, and what it may
 * @throws AppError QUERY_TOO_COMPLEX
 */
export function checkCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): { requested: number; budget: number } {
  const pricing = pricings.get(operation) ?? { variables: sizeVariablesOf(document), costs: new Map() }
  pricings.set(operation, pricing)
  const values = withDefaults(operation, variables)
  const key = JSON.stringify(pricing.variables.map((name) => sizeOf(values[name])))
  let cost = pricing.costs.get(key)
  if (cost === undefined) {
    cost = costOf(schema, document, operation, values)
    if (pricing.costs.size < maxRemembered) pricing.costs.set(key, cost)
  }
  const budget = config().GRAPHQL_MAX_COST
  if (cost <= budget) return { requested: cost, budget }
  throw new AppError(
    'QUERY_TOO_COMPLEX',
    `This query costs ${cost} points of ${budget}. Ask for smaller pages (\`first\`), or for less of each row.`,
  )
}

/** The variables as they are when the operation is executed: one left out has its default, one given as null has not. */
function withDefaults(operation: OperationDefinitionNode, variables: Variables): Record<string, unknown> {
  const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  )
  return { ...Object.fromEntries(defaults), ...variables }
}

const sizeOf = (value: unknown): unknown => (Array.isArray(value) ? `${value.length} ids` : value)

function sizeVariablesOf(document: DocumentNode): string[] {
  const names = new Set<string>()
  visit(document, {
    [Kind.ARGUMENT](node) {
      if ((isPageSize(node) || isIds(node)) && node.value.kind === Kind.VARIABLE)
        names.add(node.value.name.value)
    },
  })
  return [...names]
}
