import fs from 'node:fs'
import path from 'node:path'
import { targetOf } from './imports'
import { read } from './sources'
import { root } from './tool'

/** Modules that a source loads with itself: no types, and nothing that waits until it is wanted. */
export const loadedBy = (source: string): string[] =>
  [...source.matchAll(/^(?:import|export) (?!type )(?:[^'"]*?from )?'([^']+)'/gms)].map(
    ([, name]) => name as string,
  )

const fileOf = (target: string): string | undefined =>
  ['', '.ts', '.tsx', '/index.ts']
    .map((end) => target + end)
    .find((file) => fs.statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile())

/**
 * The files of ours that some load, themselves included.
 * @param first paths from the root of the repository
 * @param within the files that are followed; the others are left out
 * @returns each with the files on the way to it
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
