import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql'

/**
 * Whether an operation asks for the schema alone: `__schema`, `__type` and `__typename` at its root. The schema is public,
 * as /openapi.json is, so this needs no token.
 * @param document validated, so that its fragments exist and do not form a cycle
 */
export function isIntrospectionOnly(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  if (operation.operation !== 'query') return false
  const asksOnlyForSchema = (selection: SelectionSetNode): boolean =>
    selection.selections.every((each) => {
      if (each.kind === Kind.FIELD) return each.name.value.startsWith('__')
      if (each.kind === Kind.INLINE_FRAGMENT) return asksOnlyForSchema(each.selectionSet)
      const fragment = document.definitions.find(
        (definition) =>
          definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === each.name.value,
      )
      return fragment?.kind === Kind.FRAGMENT_DEFINITION && asksOnlyForSchema(fragment.selectionSet)
    })
  return asksOnlyForSchema(operation.selectionSet)
}
