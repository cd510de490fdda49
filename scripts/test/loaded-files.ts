import fs from 'node:fs'
import path from 'node:path'
import { targetOf } from './imports'
import { read } from './sources'
import { root } from './tool'

/** Returns the modules that a source loads immediately, without types and dynamic imports. */
export const loadedBy = (source: string): string[] =>
  [...source.matchAll(/^(?:import|export) (?!type )(?:[^'"]*?from )?'([^']+)'/gms)].map(
    ([, name]) => name as string,
  )

const fileOf = (target: string): string | undefined =>
  ['', '.ts', '.tsx', '/index.ts']
    .map((end) => target + end)
    .find((file) => fs.statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile())

/**
 * Returns all of our files that the given files load, including themselves.
 * @param first paths from the root of the repository
 * @param within the files to follow. Other files are omitted
 * @returns each file with the path of files that leads to it
 */
export function filesLoadedBy(first: string[], within = /./): Map<string, string> {
  const ways = new Map(first.map((file) => [file, '']))
  for (const [file, way] of ways) {
    for (const name of loadedBy(read(file))) {
      const target = fileOf(targetOf(file, name) ?? 'none of ours')
      if (target && within.test(target) && !ways.has(target)) ways.set(target, `${way}${file} -> `)
    }
  }
  return ways
}
