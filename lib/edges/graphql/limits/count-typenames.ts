import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'

/** By the nodes of a field, which are the same for each of the rows of a list. */
const known = new WeakMap<readonly FieldNode[], number>()

/**
 * How often the selection of a field names `__typename`, which graphql-js answers itself, past every resolver. Whatever
 * the type of a row: a fragment for another type counts too.
 */
export function countTypenames({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  const before = known.get(fieldNodes)
  if (before !== undefined) return before
  const ofFragments = new Map<string, number>()

  /** Once for each fragment, as in `costOf`. */
  const ofFragment = (name: string): number => {
    const counted = ofFragments.get(name) ?? ofSet(fragments[name]?.selectionSet)
    ofFragments.set(name, counted)
    return counted
  }
  const ofSet = (set: SelectionSetNode | undefined): number =>
    (set?.selections ?? []).reduce((sum, selection) => {
      if (selection.kind === Kind.FIELD) return sum + (selection.name.value === '__typename' ? 1 : 0)
      if (selection.kind === Kind.INLINE_FRAGMENT) return sum + ofSet(selection.selectionSet)
      return sum + ofFragment(selection.name.value)
    }, 0)
  const count = fieldNodes.reduce((sum, { selectionSet }) => sum + ofSet(selectionSet), 0)
  known.set(fieldNodes, count)
  return count
}
