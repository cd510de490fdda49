import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import { defaultPageSize, maxPageSize } from '@/lib/base/db/paging'
import { AppError } from '@/lib/base/errors/app-error'

/** The cost of the parts of an operation and its response, in points (ADR 0012). */
export const points = {
  object: 2,
  scalar: 1,
  /** A failed field. The message, path, code, and trace ID of its error are about 300 bytes. */
  error: 10,
  /** Each additional place in the query that selects a failed field. */
  place: 1,
  /** Introspection of the whole schema. */
  schema: 1_000,
  /** Introspection of one type. */
  type: 100,
  /** A list whose rows must all be read to select one page. */
  whole: 1_000,
}

/** The number of characters in a string that cost one additional point. */
export const charactersPerPoint = 100

/**
 * The estimated number of rows of a list without pages, or of a connection if the query specifies no page
 * size. A list that is not in this table counts as a page of the maximum size, and a connection that is not
 * in the table counts as a page of the default size. The table contains typical numbers, because counting
 * full pages for nested lists would make reasonable queries too expensive. `AnswerBudget` limits the actual
 * response.
 */
export const listSizes: Readonly<Record<string, number>> = {
  'User.workspaces': 2,
  'Workspace.members': 10,
  'Workspace.requiresApprovalFor': 12,
  'Project.members': 5,
  'Project.environments': 3,
  'Project.tokens': 5,
  'Environment.variables': 10,
  'Workspace.webhooks': 3,
  'Workspace.oauthApps': 5,
  'Workspace.tokens': 10,
  'Workspace.invitations': 5,
  'Workspace.auditLogs': 20,
  'Webhook.deliveries': 10,
  'CurrentToken.scopes': 10,
  'TokenAuthorization.workspaceIds': 5,
  'TokenAuthorization.projectIds': 5,
  'TokenAuthorization.workspaces': 2,
  'TokenAuthorization.projects': 5,
  'VariablesUpsertPayload.variables': 20,
  'VariablesUpsertPayload.deleted': 20,
  'AuthorizedApp.workspaces': 2,
  'AuthorizedApp.projects': 5,
  'Query.externalWorkspaces': 2,
  'ExternalWorkspace.projects': 5,
  'Query.notificationRules': 2,
  'Query.oauthAppUsage': 30,
  'Query.oauthAppsUsage': 30,
  'Query.webhookEventTypes': 30,
  'Query.signIns': 30,
  'Session.methods': 3,
  'SignIn.methods': 3,
  'Webhook.events': 10,
  'TwoFactorMethods.passkeys': 5,
  'AuthenticatorAppVerifyPayload.recoveryCodes': 10,
  'RecoveryCodesRotatePayload.recoveryCodes': 10,
  'OAuthApp.secrets': 5,
  'OAuthApp.webhooks': 2,
  'OAuthApp.allowedScopes': 10,
  'OAuthAppActivity.scopes': 10,
  'OAuthAppUser.scopes': 10,
  'OAuthAppTransfer.redirectUris': 5,
  'OAuthApp.usage': 30,
  'OAuthApp.failures': 20,
  'OAuthApp.redirectUris': 5,
  'OAuthApp.postLogoutRedirectUris': 2,
  'AuthorizedApp.scopes': 10,
  'AuthorizedApp.apis': 5,
  'AuthorizedApi.scopes': 10,
  'AuthorizedApp.workspaceIds': 10,
  'AuthorizedApp.projectIds': 10,
  'WorkspaceApp.scopes': 5,
  'WorkspaceApp.installScopes': 5,
  'WorkspaceApp.approvedProjects': 5,
  'WorkspaceAppUser.scopes': 10,
  'WorkspaceAppUser.projectIds': 5,
  'WorkspaceAppUser.projects': 5,
  'WorkspaceManagedApp.scopes': 5,
  'ManagedApp.scopes': 5,
  'WorkspaceApp.approvedScopes': 5,
  'WorkspaceApp.approvedProjectIds': 10,
  'WorkspaceAppRequest.scopes': 5,
  'AppInstallation.scopes': 5,
  'AppInstallation.projectIds': 10,
  'AppInstallation.projects': 5,
  'OAuthAppAdvancedSettings.installScopes': 5,
}

/**
 * Returns the estimated number of rows of a list if the query specifies no size.
 * @param paged whether the list is a connection
 */
const listSize = (coordinate: string, paged: boolean): number =>
  listSizes[coordinate] ?? (paged ? defaultPageSize : maxPageSize)

/**
 * Connections whose rows must all be read to select one page. They cost `points.whole` in addition to the
 * page.
 */
export const wholeLists: ReadonlySet<string> = new Set(['Query.workspaceAppPolicyPreview'])

type Variables = Record<string, unknown> | undefined

/**
 * Returns the estimated cost of an operation. An object costs 2 points, a scalar costs 1, and the content of
 * a list counts once per row. Introspection has a fixed cost. For a connection, the number of rows is the
 * page size in the query. For a list by `ids`, it is the number of IDs. For any other list, and for a
 * connection without a page size, it is the estimate of `listSize`. Fields that `@skip` or `@include` omits
 * are still counted.
 * @param document a valid document, whose fields and fragments exist, and whose fragments do not form a cycle
 * @param variables the variables, including defaults
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): number {
  const fragments = new Map<string, number>()

  const ofSet = ({ selections }: SelectionSetNode, parent: GraphQLCompositeType): number =>
    selections.reduce((sum, selection) => sum + ofSelection(selection, parent), 0)

  const ofSelection = (selection: SelectionNode, parent: GraphQLCompositeType): number => {
    if (selection.kind === Kind.FIELD) return ofField(selection, parent)
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value)
    const { typeCondition, selectionSet } = selection
    return ofSet(selectionSet, typeCondition ? typeNamed(typeCondition.name.value) : parent)
  }

  /**
   * Visits each fragment once. Otherwise, a few fragments that spread each other twice would take exponential
   * time.
   */
  const ofFragment = (name: string): number => {
    const known = fragments.get(name)
    if (known !== undefined) return known
    const fragment = document.definitions.find(
      (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === name,
    )
    const cost =
      fragment?.kind === Kind.FRAGMENT_DEFINITION
        ? ofSet(fragment.selectionSet, typeNamed(fragment.typeCondition.name.value))
        : 0
    fragments.set(name, cost)
    return cost
  }

  const ofField = (node: FieldNode, parent: GraphQLCompositeType): number => {
    if (node.name.value === '__schema') return points.schema
    if (node.name.value === '__type') return points.type
    const field = 'getFields' in parent ? parent.getFields()[node.name.value] : undefined
    if (!field) return points.scalar
    const rows = rowsOf(field, node, parent, variables)
    const type = getNamedType(field.type)
    if (isLeafType(type)) return rows * points.scalar
    const below = node.selectionSet ? ofSet(node.selectionSet, type as GraphQLCompositeType) : 0
    if (!isPaged(field)) return rows * (points.object + below)
    const whole = wholeLists.has(`${parent.name}.${field.name}`) ? points.whole : 0
    return points.object + whole + rows * below
  }

  const typeNamed = (name: string) => schema.getType(name) as GraphQLCompositeType
  const root = schema.getRootType(operation.operation)
  return root ? ofSet(operation.selectionSet, root) : 0
}

type Field = GraphQLField<unknown, unknown>

/** Returns whether a field is a connection, which has an argument for the page size. */
export const isPaged = (field: Field): boolean => field.args.some(({ name }) => name === 'first')

/**
 * Returns the estimated number of values of a field. For a connection, this is the number of its rows, so the
 * lists in the connection, such as `nodes`, each count as one value.
 */
function rowsOf(field: Field, node: FieldNode, parent: GraphQLCompositeType, variables: Variables): number {
  const size = () => listSize(`${parent.name}.${field.name}`, isPaged(field))
  if (isPaged(field)) return statedSize(node, variables) || size()
  if (!isListType(getNullableType(field.type)) || isPageOf(parent)) return 1
  const ids = node.arguments?.find(isIds)
  return ids ? countIds(ids, variables) : size()
}

/** Returns whether a type is a connection. */
export const isPageOf = (type: GraphQLCompositeType): boolean =>
  'getFields' in type && type.getFields().pageInfo !== undefined

const isPageSize = (argument: ArgumentNode): boolean =>
  argument.name.value === 'first' || argument.name.value === 'last'

/** Returns whether an argument contains the IDs of the rows to return. */
const isIds = (argument: ArgumentNode): boolean => argument.name.value === 'ids'

/**
 * Returns the number of IDs in an argument. Any value other than a list, including null, counts as one ID.
 */
function countIds({ value }: ArgumentNode, variables: Variables): number {
  if (value.kind === Kind.LIST) return value.values.length
  const given = value.kind === Kind.VARIABLE ? variables?.[value.name.value] : undefined
  return Array.isArray(given) ? given.length : 1
}

/**
 * Returns the page size that a query specifies for a field, or 0 if it specifies none. If `first` and `last`
 * are both specified, returns the larger size.
 */
const statedSize = (node: FieldNode, variables: Variables): number =>
  Math.max(0, ...(node.arguments ?? []).filter(isPageSize).map(sizeIn(variables)))

/**
 * Returns the page size in an argument, or 0 if the argument contains none. A variable whose value is not a
 * number counts as the maximum page size. Execution rejects the value later.
 */
const sizeIn =
  (variables: Variables) =>
  ({ value }: ArgumentNode): number => {
    if (value.kind === Kind.INT) return Number(value.value)
    if (value.kind !== Kind.VARIABLE) return 0
    const given = variables?.[value.name.value]
    return given == null ? 0 : typeof given === 'number' ? given : maxPageSize
  }
/**
 * The names of the variables for page sizes and IDs in a document, and the costs of one of its operations for
 * different values of these variables. The cost does not depend on other variables.
 */
type Pricing = { variables: string[]; costs: Map<string, number> }

const pricings = new WeakMap<OperationDefinitionNode, Pricing>()

/** The maximum number of combinations of sizes that are cached for one operation. */
const maxCached = 100

/**
 * Checks the cost of an operation with these variables. Caches the cost for up to `maxCached` combinations of
 * sizes.
 * @param document a valid document
 * @param budget the maximum cost in points
 * @returns the cost and the maximum cost
 * @throws AppError QUERY_TOO_COMPLEX if the cost exceeds the maximum
 */
export function checkCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
  budget: number,
): { requested: number; budget: number } {
  const pricing = pricings.get(operation) ?? { variables: sizeVariablesOf(document), costs: new Map() }
  pricings.set(operation, pricing)
  const values = withDefaults(operation, variables)
  const key = JSON.stringify(pricing.variables.map((name) => sizeOf(values[name])))
  let cost = pricing.costs.get(key)
  if (cost === undefined) {
    cost = costOf(schema, document, operation, values)
    if (pricing.costs.size < maxCached) pricing.costs.set(key, cost)
  }
  if (cost <= budget) return { requested: cost, budget }
  throw new AppError(
    'QUERY_TOO_COMPLEX',
    `This query costs ${cost} points, and the limit is ${budget}. Request smaller pages (\`first\`) or fewer fields.`,
  )
}

/**
 * Returns the variables, with default values for omitted variables. As in execution, an explicit null stays
 * null.
 */
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
