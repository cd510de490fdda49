import { maxPageSize } from '@/lib/base/db/paging'
import { builder } from '../builder'
import { defineLoader, type GraphQLContext, loadEach } from '../context'
import { findTypes, Node, type NodeType, nodeOf, notFound, readNodes } from '../nodes'

/**
 * Batches all IDs of a request: one statement finds their types, and the IDs of each type are read together.
 */
const nodesById = defineLoader<{ id: string }>(async (_actor, ids, _most, context) => {
  const types = await findTypes(ids)
  const found = new Map<string, { id: string } | Error>()
  const ofType = new Map<NodeType, string[]>()
  for (const id of ids) {
    const type = types.get(id.toLowerCase()) ?? types.get(id)
    if (type) ofType.set(type, [...(ofType.get(type) ?? []), id])
  }
  await Promise.all([...ofType].map(([type, own]) => readInto(found, type, own, context)))
  return ids.map((id) => found.get(id) ?? notFound('node', id))
})

async function readInto(
  found: Map<string, { id: string } | Error>,
  type: NodeType,
  ids: string[],
  { actor, caller }: GraphQLContext,
): Promise<void> {
  const rows = await readNodes(type, actor, ids, caller.user).catch((error: Error) => ids.map(() => error))
  ids.forEach((id, index) => {
    const row = rows[index] ?? notFound('node', id)
    found.set(id, row instanceof Error ? row : nodeOf(type, row))
  })
}

builder.queryFields((t) => ({
  node: t.field({
    type: Node,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the object.' }) },
    description:
      'The object with the given ID. Null, with an error, if the caller cannot read it. Requires the same access as the field that returns such an object, such as `project` for a project.',
    resolve: (_root, { id }, context) => nodesById(context).load(id),
  }),
  nodes: t.field({
    type: [Node],
    nullable: { list: true, items: true },
    args: {
      ids: t.arg.idList({ required: true, description: `The IDs of the objects. Maximum: ${maxPageSize}.` }),
    },
    description:
      'The objects with the given IDs, in the same order. An item is null, with an error, if the caller cannot read it.',
    resolve: (_root, { ids }, context) => {
      return loadEach(context, nodesById(context), ids)
    },
  }),
}))
