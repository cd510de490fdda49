import { expect, it } from 'vitest'
import { shareByPart } from './profile-parts'

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  ...{ id, children },
  callFrame: { functionName, url, lineNumber: 0, columnNumber: 0 },
})

it('adds up by package, counts native functions for their caller and leaves idleness out', () => {
  const nodes = [
    node(1, '(root)', '', [2, 3, 4, 6]),
    node(2, '(idle)', ''),
    node(3, '(garbage collector)', ''),
    node(4, 'query', 'file:///x/node_modules/a/node_modules/@scope/pg/index.js', [5]),
    node(5, 'writev', ''),
    node(6, 'sign', 'node:internal/crypto/sig', []),
  ]
  const samples = [2, 3, 4, 5, 6]
  const timeDeltas = [500, 10, 20, 30, 40]
  expect(shareByPart({ nodes, samples, timeDeltas })).toEqual([
    ['@scope/pg', 0.5],
    ['Node: crypto', 0.4],
    ['garbage collection', 0.1],
  ])
})
