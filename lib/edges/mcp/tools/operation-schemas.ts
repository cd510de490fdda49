import {
  type DocumentNode,
  type GraphQLCompositeType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isScalarType,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  typeFromAST,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql'

/**
 * Returns the JSON Schema of an operation's variables, with their default values. The descriptions are those
 * of the arguments and input fields in which the variables are used.
 * @throws Error if the document is not a single operation, or a variable's type is not an input type of the
 * schema
 */
export function inputSchema(schema: GraphQLSchema, document: DocumentNode): JsonSchema {
  const words = descriptionsOf(schema, document)
  const variables = operationOf(document).variableDefinitions ?? []
  const properties = variables.map(({ variable, type, defaultValue }) => {
    const inputType = typeFromAST(schema, type as NamedTypeNode)
    if (!isInputType(inputType))
      throw new Error(`The schema has no type for the variable $${variable.name.value}.`)
    const property = described(inputSchemaOf(inputType), words.get(variable.name.value))
    const fallback = defaultValue && { default: valueFromASTUntyped(defaultValue) }
    return [variable.name.value, { ...property, ...fallback }]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: variables
      .filter(({ type, defaultValue }) => type.kind === 'NonNullType' && !defaultValue)
      .map(({ variable }) => variable.name.value),
    additionalProperties: false,
  }
}

/**
 * Returns the JSON Schema of an operation's result. Nullable fields, which include almost all root fields,
 * allow null. A root field is null if it failed but another root field succeeded.
 * @throws Error if the document is not a single operation, selects a fragment, or does not match the schema
 */
export function outputSchema(schema: GraphQLSchema, document: DocumentNode): JsonSchema {
  const operation = operationOf(document)
  const root = schema.getRootType(operation.operation)
  if (!root) throw new Error(`The schema has no ${operation.operation}.`)
  return selectionSchema(root, operation.selectionSet, schema)
}

function selectionSchema(
  parent: GraphQLCompositeType,
  { selections }: SelectionSetNode,
  schema: GraphQLSchema,
): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  for (const selection of selections) {
    if (selection.kind !== 'Field' || !('getFields' in parent)) {
      throw new Error('A tool can select only fields, so that its output has one shape.')
    }
    const field = parent.getFields()[selection.name.value]
    if (!field) throw new Error(`${parent.name} has no field ${selection.name.value}.`)
    const named = getNamedType(field.type)
    const inner =
      selection.selectionSet && isCompositeType(named)
        ? selectionSchema(named, selection.selectionSet, schema)
        : leafSchema(named)
    properties[selection.alias?.value ?? selection.name.value] = outputSchemaOf(field.type, inner)
  }
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** Returns the descriptions of the variables, from the arguments and input fields in which they are used. */
function descriptionsOf(schema: GraphQLSchema, document: DocumentNode): Map<string, string> {
  const words = new Map<string, string>()
  const types = new TypeInfo(schema)
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument: ({ value }) => {
        const description = types.getArgument()?.description
        if (value.kind === 'Variable' && description) words.set(value.name.value, description)
      },
      ObjectField: ({ name, value }) => {
        const parent = getNamedType(types.getParentInputType() ?? undefined)
        const description = isInputObjectType(parent)
          ? parent.getFields()[name.value]?.description
          : undefined
        if (value.kind === 'Variable' && description) words.set(value.name.value, description)
      },
    }),
  )
  return words
}

/** Returns the only operation of a tool's document. @throws Error if the document contains anything else */
export function operationOf({ definitions }: DocumentNode): OperationDefinitionNode {
  const [operation, ...others] = definitions
  if (operation?.kind !== 'OperationDefinition' || others.length > 0) {
    throw new Error('A tool must have exactly one operation.')
  }
  return operation
}

/** A JSON Schema (2020-12). */
export type JsonSchema = { [key: string]: unknown }

const scalars: Record<string, JsonSchema> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  DateTime: { type: 'string', format: 'date-time' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
}

/** Returns the schema of a scalar or an enum. An unknown scalar allows any value. */
function leafSchema(type: GraphQLNamedType): JsonSchema {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) }
  return isScalarType(type) ? (scalars[type.name] ?? {}) : {}
}

/**
 * Returns the schema of an input type.
 * @param type the type of a variable or an input field; if it is nullable, the value can be omitted, but the
 * schema does not list null
 */
function inputSchemaOf(type: GraphQLInputType): JsonSchema {
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
 * Returns the schema of an output type. For a nullable type, the schema also allows null.
 * @param type the type of a field
 * @param named the schema of the named type, without list and non-null wrappers
 */
function outputSchemaOf(type: GraphQLOutputType, named: JsonSchema): JsonSchema {
  if (isNonNullType(type)) return bareSchemaOf(type.ofType, named)
  const bare = bareSchemaOf(type, named)
  return Object.keys(bare).length === 0 ? bare : { anyOf: [bare, { type: 'null' }] }
}

const bareSchemaOf = (type: GraphQLOutputType, named: JsonSchema): JsonSchema =>
  isListType(type) ? { type: 'array', items: outputSchemaOf(type.ofType, named) } : named

/** Returns the schema with the description, or the unchanged schema if there is no description. */
const described = (schema: JsonSchema, description: string | null | undefined): JsonSchema =>
  description ? { ...schema, description } : schema
