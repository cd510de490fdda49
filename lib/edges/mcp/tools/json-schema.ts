import {
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql'

/** JSON Schema 2020-12, as far as tools need it. */
export type JsonSchema = { [key: string]: unknown }

const scalars: Record<string, JsonSchema> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  DateTime: { type: 'string', format: 'date-time' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
}

/** A leaf: a scalar of the schema, or an enum. What is not known by name may hold anything. */
export function leafSchema(type: GraphQLNamedType): JsonSchema {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) }
  return isScalarType(type) ? (scalars[type.name] ?? {}) : {}
}

/**
 * What a value may be where an input is expected.
 * @param type of a variable or an input field; what may be null may be left out, and is not told to be null
 */
export function inputSchemaOf(type: GraphQLInputType): JsonSchema {
  if (isNonNullType(type)) return inputSchemaOf(type.ofType)
  if (isListType(type)) return { type: 'array', items: inputSchemaOf(type.ofType) }
  if (!isInputObjectType(type)) return leafSchema(type)
  const fields = Object.values(type.getFields())
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [field.name, described(inputSchemaOf(field.type), field.description)]),
    ),
    required: fields
      .filter((field) => isNonNullType(field.type) && field.defaultValue === undefined)
      .map(({ name }) => name),
    additionalProperties: false,
  }
}

/**
 * What an answer may be where the API answers this type.
 * @param type of a field
 * @param named the schema of the type inside its lists and non-nulls
 */
export function outputSchemaOf(type: GraphQLOutputType, named: JsonSchema): JsonSchema {
  if (isNonNullType(type)) return bareSchemaOf(type.ofType, named)
  const bare = bareSchemaOf(type, named)
  return Object.keys(bare).length === 0 ? bare : { anyOf: [bare, { type: 'null' }] }
}

const bareSchemaOf = (type: GraphQLOutputType, named: JsonSchema): JsonSchema =>
  isListType(type) ? { type: 'array', items: outputSchemaOf(type.ofType, named) } : named

/** The same schema with a description, where there is one. */
export const described = (schema: JsonSchema, description: string | null | undefined): JsonSchema =>
  description ? { ...schema, description } : schema
