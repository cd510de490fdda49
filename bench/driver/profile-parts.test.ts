import { expect, it } from 'vitest'
import { shareByLayer } from './profile-layers'
import { bytesByPart, type HeapNode, shareByPart } from './profile-parts'

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  ...{ id, children },
  callFrame: { functionName, url, lineNumber: 0, columnNumber: 0 },
})

it('a profile summary groups time by package and folder, assigns native code to its caller, and omits idle time', () => {
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

it('socket time counts toward the layer that uses the socket, or toward HTTP if no layer does', () => {
  const nodes = [
    node(1, '(root)', '', [2, 3, 4, 7, 9]),
    node(2, '(idle)', ''),
    node(3, '(garbage collector)', ''),
    node(4, 'onread', 'node:internal/stream_base_commons', [5]),
    node(5, 'parse', 'file:///x/node_modules/pg-protocol/dist/parser.js', [6]),
    node(6, 'resume', 'node:internal/streams/readable'),
    node(7, 'commit', 'file:///x/lib/edges/oauth/store/commit-token-request.ts', [8]),
    node(8, 'update', 'node:internal/crypto/hash'),
    node(9, '(program)', ''),
  ]
  const samples = [2, 3, 4, 5, 6, 7, 8, 9]
  const timeDeltas = [500, 10, 20, 15, 15, 10, 10, 20]
  expect(shareByLayer({ nodes, samples, timeDeltas })).toMatchObject({
    'garbage collection': 0.1,
    HTTP: 0.2,
    statement: 0.3,
    store: 0.1,
    'signing and hashing': 0.1,
    'native code': 0.2,
    other: 0,
    engine: 0,
  })
})

it('bytes in use are summed by package, with native functions attributed to their callers', () => {
  const heap = (functionName: string, url: string, selfSize: number, ...children: HeapNode[]): HeapNode => ({
    callFrame: node(0, functionName, url).callFrame,
    selfSize,
    children,
  })
  const pg = 'file:///x/node_modules/pg/index.js'
  expect(
    bytesByPart(
      heap(
        '(root)',
        '',
        0,
        heap('load', pg, 20, heap('parse', '', 5)),
        heap('query', pg, 10),
        heap('(GC)', '', 1),
      ),
    ),
  ).toEqual([
    ['pg', 35],
    ['V8', 1],
  ])
})
