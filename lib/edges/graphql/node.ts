import { builder } from './builder'
import type { NodeType } from './nodes/find-types'

const types = new WeakMap<object, NodeType>()

/** Remembers which type a row is of, for a field that may answer several. */
export function nodeOf<Row extends object>(type: NodeType, row: Row): Row & { id: string } {
  types.set(row, type)
  return row as Row & { id: string }
}

/** Whatever has an id by which it can be asked for again. */
export const Node = builder.interfaceRef<{ id: string }>('Node').implement({
  description: 'Something with an id by which `node` finds it again.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'Its id; no two things share one.' }) }),
  resolveType: (row) => types.get(row),
})
