import path from 'node:path'
import { importsOf, targetOf } from './imports'

/** A source file of the product. @property file path from the root of the repository, with forward slashes */
export type Source = { file: string; source: string }

/**
 * Finds folders of lib with the same parent folder that import each other, directly or indirectly. Checks all
 * levels.
 * @param sources every file of lib except tests
 * @returns one line per cycle, such as `lib/features: audit -> webhooks -> audit`
 */
export function cycles(sources: readonly Source[]): string[] {
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

/**
 * Returns the shortest path of imports that leads from a folder back to the same folder, or undefined if
 * there is none.
 */
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

/**
 * Returns the imports between folders with the same parent folder. Omits imports of files directly in the
 * parent folder.
 * @returns the imported neighbors by folder, for every folder of lib
 */
function neighboursOf(sources: readonly Source[]): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>()
  for (const { file } of sources)
    for (const folder of foldersOf(file)) if (!arrows.has(folder)) arrows.set(folder, new Set())
  for (const { file, source } of sources) {
    for (const name of importsOf(source)) {
      const target = targetOf(file, name)
      if (!target?.startsWith('lib/')) continue
      const around = foldersOf(file).find(
        (folder) => target.startsWith(`${path.posix.dirname(folder)}/`) && !target.startsWith(`${folder}/`),
      )
      if (!around) continue
      const [neighbor, ...rest] = target.slice(path.posix.dirname(around).length + 1).split('/')
      if (rest.length > 0) arrows.get(around)?.add(neighbor as string)
    }
  }
  return arrows
}

/** Returns the folders that contain a file of lib, innermost first, without lib itself. */
function foldersOf(file: string): string[] {
  const parts = path.posix.dirname(file).split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - index).join('/'))
}
