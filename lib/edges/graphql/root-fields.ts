import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

/**
 * Returns whether an operation asks for the schema alone: `__schema`, `__type` and `__typename` at its root. The schema is
 * public, as /openapi.json is, so this needs no token.
 * @param document validated, so that its fragments exist and do not form a cycle
 */
export const isIntrospectionOnly = (document: DocumentNode, operation: OperationDefinitionNode): boolean =>
  operation.operation === 'query' &&
  rootFields(document, operation).every(({ name }) => name.value.startsWith('__'))

/**
 * Returns how many fields an operation executes at its root. Fields of one response name are merged into one
 * (GraphQL specification, section 6.3.2). `@skip` and `@include` do not count, as in the price of an operation.
 * @param document validated
 */
export const countRootFields = (document: DocumentNode, operation: OperationDefinitionNode): number =>
  new Set(rootFields(document, operation).map(({ alias, name }) => (alias ?? name).value)).size

function rootFields(document: DocumentNode, { selectionSet }: OperationDefinitionNode): FieldNode[] {
  const visited = new Set<string>()
  const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] =>
    selections.flatMap((each) => {
      if (each.kind === Kind.FIELD) return [each]
      if (each.kind === Kind.INLINE_FRAGMENT) return fieldsOf(each.selectionSet)
      // A few fragments that spread each other twice would otherwise be walked through without end.
      if (visited.has(each.name.value)) return []
      visited.add(each.name.value)
      const fragment = document.definitions.find(
        (definition) =>
          definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === each.name.value,
      )
      return fragment?.kind === Kind.FRAGMENT_DEFINITION ? fieldsOf(fragment.selectionSet) : []
    })
  return fieldsOf(selectionSet)
}
