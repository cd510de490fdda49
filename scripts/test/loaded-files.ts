import fs from 'node:fs'
import path from 'node:path'
import { targetOf } from './imports'
import { read } from './sources'
import { root } from './tool'

/** Returns the modules that a source file loads immediately. Omits imports of types and dynamic imports. */
export const loadedBy = (source: string): string[] =>
  [...source.matchAll(/^(?:import|export) (?!type )(?:[^'"]*?from )?'([^']+)'/gms)].map(
    ([, name]) => name as string,
  )

const fileOf = (target: string): string | undefined =>
  ['', '.ts', '.tsx', '/index.ts']
    .map((end) => target + end)
    .find((file) => fs.statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile())

/**
 * Returns the given files and all the repository's files that they load, directly or indirectly.
 * @param first paths from the root of the repository
 * @param within matches the loaded files to include. Other files are omitted, and their imports are not
 * followed
 * @returns for each file, the chain of files through which it is loaded; empty for the given files
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
