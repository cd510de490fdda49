import {
  type DocumentNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isInputType,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  typeFromAST,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { described, inputSchemaOf, type JsonSchema, leafSchema, outputSchemaOf } from './json-schema'

/**
 * What the variables of an operation may be, as JSON Schema. Each is described in the words of the argument or input field
 * that it is for.
 */
export function inputSchema(schema: GraphQLSchema, document: DocumentNode): JsonSchema {
  const words = descriptionsOf(schema, document)
  const variables = operationOf(document).variableDefinitions ?? []
  const properties = variables.map(({ variable, type, defaultValue }) => {
    const inputType = typeFromAST(schema, type as NamedTypeNode)
    if (!isInputType(inputType))
      throw new Error(`The schema does not know the type of $${variable.name.value}.`)
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

/** What an operation answers, as JSON Schema. A root field is null when it was refused and another was not. */
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
      throw new Error('A tool selects fields alone, so that its output has one form.')
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

/** What each variable is for, in the schema's words. */
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

/** The one operation of a tool's document. */
export function operationOf({ definitions }: DocumentNode): OperationDefinitionNode {
  const [operation, ...others] = definitions
  if (operation?.kind !== 'OperationDefinition' || others.length > 0) {
    throw new Error('A tool is one operation.')
  }
  return operation
}
