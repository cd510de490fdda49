import { GraphQLError, type GraphQLSchema, isEnumType, isIntrospectionType } from 'graphql'

/** Lists all values of an enum in the error for an unknown value. By default, graphql-js suggests only similar values. */
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
