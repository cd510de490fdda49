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
} from 'graphql'

/** One line of the reference: a field, argument, input field or enum value. */
export type ReferenceEntry = {
  name: string
  description: string
  /** As GraphQL writes it, such as `[Project!]!`; absent for enum values. */
  type?: string
  /** The type to link to. */
  named?: string
  deprecated?: string
  /** A document that asks for it, of an operation. */
  example?: string
  arguments: ReferenceEntry[]
}

type ReferenceType = {
  name: string
  kind: 'object' | 'input' | 'enum' | 'scalar' | 'interface' | 'union'
  description: string
  /** Fields, input fields, enum values or the members of a union. */
  entries: ReferenceEntry[]
}

/** The operations by their kind. */
export type Operations = Record<'queries' | 'mutations' | 'subscriptions', ReferenceEntry[]>

export type Reference = Operations & { types: ReferenceType[] }

/** The schema as the docs show it. Roots stand apart; types of introspection are left out. */
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
