import { GraphQLError, type GraphQLSchema, isEnumType, isIntrospectionType } from 'graphql'

/** Has every enum of a schema answer a value that it does not have with those that it has: the library guesses one, where one is near. */
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
    throw new GraphQLError(`${error.message} It is one of ${all}.`, { nodes: error.nodes })
  }
}
