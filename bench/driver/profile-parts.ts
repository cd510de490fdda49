import fs from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { CpuProfile } from '../machine/profiler'

export type Frame = CpuProfile['nodes'][number]['callFrame']

export const idle = '(idle)'

/**
 * A function that returns the name under which a stack frame is counted. @param caller the calling frame's
 * name
 */
type Classify = (frame: Frame, caller: string) => string

/**
 * Returns the share of the busy time for each name that `classify` returns, except `idle`. The largest share
 * is first.
 */
export function shareBy({ nodes, samples, timeDeltas }: CpuProfile, classify: Classify): [string, number][] {
  const names = new Map<number, string>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const walk = (id: number, caller: string) => {
    const node = byId.get(id)
    if (!node) return
    const name = classify(node.callFrame, caller)
    names.set(id, name)
    for (const child of node.children ?? []) walk(child, name)
  }
  if (nodes[0]) walk(nodes[0].id, idle)
  const times = new Map<string, number>()
  let busy = 0
  for (const [i, sample] of samples.entries()) {
    const name = names.get(sample) ?? idle
    if (name === idle) continue
    const time = timeDeltas[i] ?? 0
    busy += time
    times.set(name, (times.get(name) ?? 0) + time)
  }
  return [...times].map(([name, time]) => [name, time / busy] as [string, number]).sort((a, b) => b[1] - a[1])
}

/**
 * Returns each part's share of the busy time. A part is a package, a folder of the product, a part of Node,
 * or a type of work that V8 reports separately, such as garbage collection. Other native functions count
 * toward their callers.
 */
export const shareByPart = (profile: CpuProfile) =>
  shareBy(profile, (frame, caller) => partOf(frame) ?? caller)

/**
 * A node of a heap profile from `node --heap-prof`, with the bytes that its function allocated and that are
 * still in use.
 */
export type HeapNode = { callFrame: Frame; selfSize: number; children: HeapNode[] }

/**
 * Returns the bytes in use for each part, the largest first. The parts are the same as in `shareByPart`.
 * Native functions without a caller count toward the additional part `V8`.
 */
export function bytesByPart(root: HeapNode): [string, number][] {
  const bytes = new Map<string, number>()
  const walk = ({ callFrame, selfSize, children }: HeapNode, caller: string) => {
    const part = partOf(callFrame) ?? caller
    bytes.set(part, (bytes.get(part) ?? 0) + selfSize)
    for (const child of children) walk(child, part)
  }
  for (const child of root.children) walk(child, 'V8')
  return [...bytes].sort((a, b) => b[1] - a[1])
}

const ofTheEngine: Record<string, string> = {
  '(root)': idle,
  '(idle)': idle,
  '(program)': 'system calls and other native code',
  '(garbage collector)': 'garbage collection',
}

const ofNode: [RegExp, string][] = [
  [/crypto/, 'Node: crypto'],
  [/http|net|stream|url|buffer/, 'Node: http, sockets, streams'],
]

/** Returns the part of a frame. @returns undefined for a native function that is not in `ofTheEngine` */
export function partOf(frame: Frame): string | undefined {
  const { functionName, url } = frame
  if (!url) return ofTheEngine[functionName]
  if (url.startsWith('node:')) return ofNode.find(([pattern]) => pattern.test(url))?.[1] ?? 'Node: the rest'
  const file = fileOf(frame)
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? []
  if (name) return name
  const [, folder] = /\/((?:lib\/(?:base|features|edges)|lib|app|components)\/[^/]+)\//.exec(file) ?? []
  return folder ?? (file.includes('/.next/') ? 'pages as built' : 'the rest of the product')
}

/**
 * Returns the URL of a frame's source file. Without a source map, returns the URL of the file that Node runs.
 */
export const fileOf = ({ url, lineNumber, columnNumber }: Frame): string =>
  url.includes('/node_modules/') ? url : (sourceOf(url, lineNumber, columnNumber) ?? url)

const maps = new Map<string, SourceMap | undefined>()

/**
 * Returns the URL of the source file for a position in a bundle, or undefined if no source map contains the
 * position.
 */
function sourceOf(url: string, line: number, column: number): string | undefined {
  if (!maps.has(url)) maps.set(url, readMap(url))
  const entry = maps.get(url)?.findEntry(line, column)
  return entry && 'originalSource' in entry ? new URL(entry.originalSource, url).href : undefined
}

function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(fs.readFileSync(`${fileURLToPath(url)}.map`, 'utf8')))
  } catch {
    return undefined // not one of our bundles
  }
}
