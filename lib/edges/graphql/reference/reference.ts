import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  parse,
  print,
  printSchema,
} from 'graphql'
import { remember } from '@/lib/base/process/remember'
import { schema } from '../schema/index'
import { examples } from './examples'

/** Returns this server's schema, with examples, as the docs show it. The result is built once per process. */
export const reference = (): Reference =>
  remember('graphql reference', () => {
    const { queries, mutations, subscriptions, types } = describeSchema(schema)
    return {
      queries: queries.map(withExample),
      mutations: mutations.map(withExample),
      subscriptions: subscriptions.map(withExample),
      types,
    }
  })

/**
 * Returns an operation's entry, with an example if there is one. Operations that a product team adds might
 * have no example.
 */
function withExample(entry: ReferenceEntry): ReferenceEntry {
  const example = examples[entry.name]
  return example ? { ...entry, example: print(parse(example)) } : entry
}

/** Returns the schema in the schema definition language, printed once per process. */
export const schemaText = (): string => remember('schema text', () => `${printSchema(schema)}\n`)

/**
 * Handles GET /schema.graphql: returns the schema as text, for code generators and agents that do not use
 * introspection.
 */
export const answerSchema = (): Response =>
  new Response(schemaText(), {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    },
  })

/** A page of the reference, with the operations that it lists. */
export type Noun = { slug: string; title: string } & Operations

/**
 * The reference pages, each with a pattern for the names of its operations. An operation is listed on the
 * first page whose pattern matches its name. The last page lists all other operations.
 */
const nouns: [slug: string, title: string, pattern: RegExp][] = [
  [
    'account',
    'Account',
    /^(me$|user|session|signIn|twoFactor|passkey|authenticatorApp|recoveryCodes|sshPublicKey|authorizedApp|managedApp)/,
  ],
  ['tokens', 'Tokens', /^(apiToken|currentToken|(ownP|p)rojectToken|workspaceToken)/],
  ['projects', 'Projects', /^(project|deletedProject)/],
  ['environments', 'Environments and variables', /^(environment|variable)/],
  ['apps-in-workspaces', 'Apps in a workspace', /^workspace(App|ManagedApp|IdentityProvider)/],
  ['workspaces', 'Workspaces', /^(workspace|externalWorkspace)/],
  ['oauth-apps', 'OAuth apps', /^oauthApp/],
  ['webhooks', 'Webhooks', /^webhook/],
  ['notifications', 'Notifications', /^notification/],
  ['audit-log', 'Audit log', /^audit(Log|Stream)/],
  ['apis', 'APIs', /^api/],
  ['more', 'More', /^/],
]

/**
 * Groups the operations by reference page. Each operation is on exactly one page. Omits pages without
 * operations.
 */
export function byNoun({ queries, mutations, subscriptions }: Operations): Noun[] {
  const slugOf = ({ name }: ReferenceEntry) => nouns.find(([, , pattern]) => pattern.test(name))?.[0]
  return nouns
    .map(([slug, title]) => ({
      slug,
      title,
      queries: queries.filter((entry) => slugOf(entry) === slug),
      mutations: mutations.filter((entry) => slugOf(entry) === slug),
      subscriptions: subscriptions.filter((entry) => slugOf(entry) === slug),
    }))
    .filter((noun) => noun.queries.length + noun.mutations.length + noun.subscriptions.length > 0)
}

/**
 * A line of the reference: an operation, a field, an argument, an input field, an enum value, or a member of
 * a union.
 */
export type ReferenceEntry = {
  name: string
  description: string
  /**
   * The type in GraphQL syntax, such as `[Project!]!`. Undefined for enum values and for members of a union.
   */
  type?: string
  /** The name of the type to link to. Undefined for enum values. */
  named?: string
  deprecated?: string
  /** An example document. Undefined unless the line is an operation with an example. */
  example?: string
  arguments: ReferenceEntry[]
}

type ReferenceType = {
  name: string
  kind: 'object' | 'input' | 'enum' | 'scalar' | 'interface' | 'union'
  description: string
  /** The fields, the input fields, the enum values, or the members of the union. Empty for scalars. */
  entries: ReferenceEntry[]
}

/** The operations by kind. */
export type Operations = Record<'queries' | 'mutations' | 'subscriptions', ReferenceEntry[]>

export type Reference = Operations & { types: ReferenceType[] }

/**
 * Describes a schema for the docs. The operations are separate from the types. The types are ordered by name
 * and exclude the root types and the introspection types.
 */
export function describeSchema(schema: GraphQLSchema): Reference {
  const kinds = {
    queries: schema.getQueryType(),
    mutations: schema.getMutationType(),
    subscriptions: schema.getSubscriptionType(),
  }
  const roots = new Set(Object.values(kinds).map((type) => type?.name))
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__') && !roots.has(type.name))
    .sort((a, b) => a.name.localeCompare(b.name))
  return {
    queries: fieldsOf(kinds.queries),
    mutations: fieldsOf(kinds.mutations),
    subscriptions: fieldsOf(kinds.subscriptions),
    types: types.map(describeType),
  }
}

const describeType = (type: GraphQLNamedType): ReferenceType => ({
  name: type.name,
  kind: kindOf(type),
  description: type.description ?? '',
  entries: entriesOf(type),
})

function kindOf(type: GraphQLNamedType): ReferenceType['kind'] {
  if (isObjectType(type)) return 'object'
  if (isInputObjectType(type)) return 'input'
  if (isEnumType(type)) return 'enum'
  if (isInterfaceType(type)) return 'interface'
  return isUnionType(type) ? 'union' : 'scalar'
}

function entriesOf(type: GraphQLNamedType): ReferenceEntry[] {
  if (isObjectType(type) || isInterfaceType(type)) return fieldsOf(type)
  if (isInputObjectType(type)) return Object.values(type.getFields()).map(typedEntry)
  if (isEnumType(type)) {
    return type.getValues().map(({ name, description, deprecationReason }) => ({
      name,
      description: description ?? '',
      ...(deprecationReason ? { deprecated: deprecationReason } : {}),
      arguments: [],
    }))
  }
  if (isUnionType(type)) {
    return type.getTypes().map(({ name, description }) => ({
      name,
      named: name,
      description: description ?? '',
      arguments: [],
    }))
  }
  return []
}

const fieldsOf = (
  type: { getFields: () => Record<string, GraphQLField<unknown, unknown>> } | null | undefined,
): ReferenceEntry[] =>
  Object.values(type?.getFields() ?? {}).map((field) => ({
    ...typedEntry(field),
    arguments: field.args.map(typedEntry),
  }))

const typedEntry = (
  entry: GraphQLField<unknown, unknown> | GraphQLInputField | GraphQLArgument,
): ReferenceEntry => ({
  name: entry.name,
  description: entry.description ?? '',
  type: String(entry.type),
  named: getNamedType(entry.type).name,
  ...(entry.deprecationReason ? { deprecated: entry.deprecationReason } : {}),
  arguments: [],
})
