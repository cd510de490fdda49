import { GraphQLError, type GraphQLSchema, isEnumType, isIntrospectionType } from 'graphql'

/**
 * Makes the error for an unknown enum value list all values of the enum. By default, graphql-js suggests only
 * similar values.
 * @returns the same schema
 */
export function nameEnumValues(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isEnumType(type) || isIntrospectionType(type)) continue
    const all = type
      .getValues()
      .map(({ name }) => name)
      .join(', ')
    const { parseValue, parseLiteral } = type
    type.parseValue = (...given) => explained(all, () => parseValue.apply(type, given))
    type.parseLiteral = (...given) => explained(all, () => parseLiteral.apply(type, given))
  }
  return schema
}

function explained<Value>(all: string, parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    throw new GraphQLError(`${error.message} Valid values: ${all}.`, { nodes: error.nodes })
  }
}
