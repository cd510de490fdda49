import { expect, it } from 'vitest'
import { shareByPart } from './profile-parts'

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  ...{ id, children },
  callFrame: { functionName, url, lineNumber: 0, columnNumber: 0 },
})

it('sums up by package and folder, counts native functions for their caller, and omits idle time', () => {
  const nodes = [
    node(1, '(root)', '', [2, 3, 4, 6, 7, 8]),
    node(2, '(idle)', ''),
    node(3, '(garbage collector)', ''),
    node(4, 'query', 'file:///x/node_modules/a/node_modules/@scope/pg/index.js', [5]),
    node(5, 'writev', ''),
    node(6, 'sign', 'node:internal/crypto/sig', []),
    node(7, 'handle', 'file:///x/lib/edges/oauth/http/handler.ts', []),
    node(8, 'authorize', 'file:///x/lib/policy/authorize.ts', []),
  ]
  const samples = [2, 3, 4, 5, 6, 7, 8]
  const timeDeltas = [500, 10, 20, 30, 40, 60, 40]
  expect(shareByPart({ nodes, samples, timeDeltas })).toEqual([
    ['lib/edges/oauth', 0.3],
    ['@scope/pg', 0.25],
    ['Node: crypto', 0.2],
    ['lib/policy', 0.2],
    ['garbage collection', 0.05],
  ])
})
