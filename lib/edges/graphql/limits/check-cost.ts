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

/** What an operation costs, and an answer holds, in points (ADR 0015). */
export const points = {
  object: 2,
  scalar: 1,
  /** A field that fails: its message, path, code and trace id are about 300 bytes. */
  error: 10,
  /** Each further place of the query that asked for a field that fails. */
  place: 1,
  /** Introspection: the whole schema, and one type of it. */
  schema: 1_000,
  type: 100,
  /** All rows of a list, of which the answer has a page. */
  whole: 1_000,
}

/** How many characters of a text in an answer count one point more. */
export const charactersPerPoint = 100

/**
 * Rows that a list is priced for when the query does not say: one without pages, or a connection whose page size was left
 * out. What is not named here is priced for a full page, or for the default one. Lists that stand in other lists are
 * priced for what is usual, as an honest query would else be refused for rows that are not there; the answer, which has
 * a limit of its own, is counted row by row.
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

/** The rows that a list is priced for when the query does not say. @param paged whether it is a connection */
const listSize = (coordinate: string, paged: boolean): number =>
  listSizes[coordinate] ?? (paged ? defaultPageSize : maxPageSize)

/** Connections that are read whole to cut a page from, which costs `points.whole` beside the page. */
export const wholeLists: ReadonlySet<string> = new Set(['Query.workspaceAppPolicyPreview'])

type Variables = Record<string, unknown> | undefined

/**
 * Adds up what an operation costs at most: an object 2 points, a scalar 1, and whatever is in a list as often as the list
 * has rows. A connection has as many as its page, a list of what `ids` name as many as there are ids, another one as many as
 * `listSizes` says. One that is read whole for its page costs that, too. Directives do not count:
 * what `@skip` leaves out is paid for.
 * @param document validated, so that its fields and fragments exist and do not form a cycle
 * @param variables with the defaults of those left out
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

  /** Once for each fragment: a few that spread each other twice would else be walked through without end. */
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

/** Whether a field is a connection, whose page the query chooses. */
export const isPaged = (field: Field): boolean => field.args.some(({ name }) => name === 'first')

/** How many values a field is priced for. The rows of a connection are counted at the connection. */
function rowsOf(field: Field, node: FieldNode, parent: GraphQLCompositeType, variables: Variables): number {
  const size = () => listSize(`${parent.name}.${field.name}`, isPaged(field))
  if (isPaged(field)) return statedSize(node, variables) || size()
  if (!isListType(getNullableType(field.type)) || isPageOf(parent)) return 1
  const ids = node.arguments?.find(isIds)
  return ids ? countIds(ids, variables) : size()
}

/** Whether a type is a connection itself. */
export const isPageOf = (type: GraphQLCompositeType): boolean =>
  'getFields' in type && type.getFields().pageInfo !== undefined

const isPageSize = (argument: ArgumentNode): boolean =>
  argument.name.value === 'first' || argument.name.value === 'last'

/** Whether an argument names the rows of a list, each of which is asked for. */
const isIds = (argument: ArgumentNode): boolean => argument.name.value === 'ids'

/** How many ids there are; what is no list is one of one. */
function countIds({ value }: ArgumentNode, variables: Variables): number {
  if (value.kind === Kind.LIST) return value.values.length
  const given = value.kind === Kind.VARIABLE ? variables?.[value.name.value] : undefined
  return Array.isArray(given) ? given.length : 1
}

/** The page size that a query states, 0 for none. */
const statedSize = (node: FieldNode, variables: Variables): number =>
  Math.max(0, ...(node.arguments ?? []).filter(isPageSize).map(sizeIn(variables)))

/** A size that is no number fails on its own; until then it counts as the largest. */
const sizeIn =
  (variables: Variables) =>
  ({ value }: ArgumentNode): number => {
    if (value.kind === Kind.INT) return Number(value.value)
    if (value.kind !== Kind.VARIABLE) return 0
    const given = variables?.[value.name.value]
    return given == null ? 0 : typeof given === 'number' ? given : maxPageSize
  }
/** What an operation costs depends on its variables as far as they are page sizes or ids, of which the number counts, and on nothing else. See ADR 0015. */
type Pricing = { variables: string[]; costs: Map<string, number> }

const pricings = new WeakMap<OperationDefinitionNode, Pricing>()

/** Different sizes of one operation that are remembered. */
const maxRemembered = 100

/**
 * Adds up what an operation costs with these variables, once for each combination of sizes.
 * @param document validated
 * @param budget points that it may cost
 * @returns what it costs, and what it may
 * @throws AppError QUERY_TOO_COMPLEX
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
    if (pricing.costs.size < maxRemembered) pricing.costs.set(key, cost)
  }
  if (cost <= budget) return { requested: cost, budget }
  throw new AppError(
    'QUERY_TOO_COMPLEX',
    `This query costs ${cost} points, and the limit is ${budget}. Request smaller pages (\`first\`) or fewer fields.`,
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
