import path from 'node:path'
import { neighboursOf, type Source } from './neighbours'

/**
 * Folders of lib that import each other, directly or round a corner, at any level of the tree.
 * @param sources every file of lib, tests left out
 * @returns one line for each circle, such as `lib/features: audit -> webhooks -> audit`
 */
export function circles(sources: readonly Source[]): string[] {
  const arrows = neighboursOf(sources)
  const found = new Map<string, string>()
  for (const folder of arrows.keys()) {
    const around = path.posix.dirname(folder)
    const loop = wayBack(path.posix.basename(folder), (name) => [
      ...(arrows.get(path.posix.join(around, name)) ?? []),
    ])
    const members = loop && [...new Set(loop)].sort().join(' ')
    const key = `${around} ${members}`
    if (loop && !found.has(key)) found.set(key, `${around}: ${loop.join(' -> ')}`)
  }
  return [...found.values()]
}

/** The shortest way from a folder back to itself. */
function wayBack(start: string, next: (name: string) => string[]): string[] | undefined {
  const ways = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const name of next(way.at(-1) as string)) {
      if (name === start) return [...way, name]
      if (!seen.has(name)) ways.push([...way, name])
      seen.add(name)
    }
  }
  return undefined
}
