import {
  BREAK,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'

/**
 * Whether a document asks for `User.workspaces` and changes nothing, so that reading them ahead finds what reading them
 * later would.
 * @param document validated
 */
export function readsWorkspaces(schema: GraphQLSchema, document: DocumentNode): boolean {
  let reads = false
  const types = new TypeInfo(schema)
  visit(
    document,
    visitWithTypeInfo(types, {
      [Kind.OPERATION_DEFINITION]({ operation }) {
        if (operation === OperationTypeNode.QUERY) return
        reads = false
        return BREAK
      },
      [Kind.FIELD]({ name }) {
        if (name.value === 'workspaces' && types.getParentType()?.name === 'User') reads = true
      },
    }),
  )
  return reads
}
