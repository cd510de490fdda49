import fs from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { CpuProfile } from '../machine/profiler'

type Frame = CpuProfile['nodes'][number]['callFrame']

/**
 * Returns the CPU time by part: a package, a folder of the product, or a part of Node. Native functions count
 * for their callers.
 * @returns the share of the busy time of each part, the largest first
 */
export function shareByPart({ nodes, samples, timeDeltas }: CpuProfile): [string, number][] {
  const parts = new Map<number, string>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const walk = (id: number, caller: string) => {
    const node = byId.get(id)
    if (!node) return
    const part = partOf(node.callFrame) ?? caller
    parts.set(id, part)
    for (const child of node.children ?? []) walk(child, part)
  }
  if (nodes[0]) walk(nodes[0].id, idle)
  const times = new Map<string, number>()
  let busy = 0
  for (const [i, sample] of samples.entries()) {
    const part = parts.get(sample) ?? idle
    if (part === idle) continue
    const time = timeDeltas[i] ?? 0
    busy += time
    times.set(part, (times.get(part) ?? 0) + time)
  }
  return [...times].map(([part, time]) => [part, time / busy] as [string, number]).sort((a, b) => b[1] - a[1])
}

const idle = '(idle)'

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

/** @returns undefined for a native function, which counts for its caller */
function partOf({ functionName, url, lineNumber, columnNumber }: Frame): string | undefined {
  if (!url) return ofTheEngine[functionName]
  if (url.startsWith('node:')) return ofNode.find(([pattern]) => pattern.test(url))?.[1] ?? 'Node: the rest'
  const file = url.includes('/node_modules/') ? url : (sourceOf(url, lineNumber, columnNumber) ?? url)
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? []
  if (name) return name
  const [, folder] = /\/((?:lib\/(?:base|features|edges)|lib|app|components)\/[^/]+)\//.exec(file) ?? []
  return folder ?? (file.includes('/.next/') ? 'pages as built' : 'the rest of the product')
}

const maps = new Map<string, SourceMap | undefined>()

/** Returns the source file of a position in the bundle. */
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
