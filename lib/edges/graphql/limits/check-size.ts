import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql'
import { AppError } from '@/lib/base/errors/app-error'

/** Fields and fragments that a document may name; a query written by hand or by a generator has a tenth of it. */
const maxSelections = 500

/** Characters of an alias. The answer repeats it for every row, and in the path of every error. */
const maxAliasLength = 100

/**
 * Bounds a document before it is validated: whether fields can be merged is decided by comparing them in pairs (GraphQL
 * specification, section 5.3.2), which takes four times as long for a document twice as large.
 * @throws AppError QUERY_TOO_COMPLEX
 */
export function checkSize(document: DocumentNode): void {
  let selections = 0
  const count = (set: SelectionSetNode | undefined): void => {
    if (!set) return
    selections += set.selections.length
    if (selections > maxSelections) {
      throw new AppError(
        'QUERY_TOO_COMPLEX',
        `This query names more than ${maxSelections} fields and fragments. Ask for fewer, or split it.`,
      )
    }
    for (const each of set.selections) {
      if (each.kind === Kind.FRAGMENT_SPREAD) continue
      if (each.kind === Kind.FIELD) checkAlias(each)
      count(each.selectionSet)
    }
  }
  for (const each of document.definitions) if ('selectionSet' in each) count(each.selectionSet)
}

function checkAlias({ alias }: FieldNode): void {
  if (!alias || alias.value.length <= maxAliasLength) return
  throw new AppError(
    'QUERY_TOO_COMPLEX',
    `The alias "${alias.value.slice(0, 20)}..." is longer than ${maxAliasLength} characters. Shorten it.`,
  )
}
