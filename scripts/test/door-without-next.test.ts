import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { targetOf } from './imports'
import { read } from './sources'
import { root } from './tool'

/** Modules that a source loads with itself: no types, and nothing that waits until it is wanted. */
const loadedBy = (source: string): string[] =>
  [...source.matchAll(/^(?:import|export) (?!type )(?:[^'"]*?from )?'([^']+)'/gms)].map(
    ([, name]) => name as string,
  )

const fileOf = (target: string): string | undefined =>
  ['', '.ts', '.tsx', '/index.ts']
    .map((end) => target + end)
    .find((file) => fs.statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile())

it('what draws the pages at the door loads nothing of Next', () => {
  const ways = new Map([['app/door/answer-door.ts', '']])
  const wrong: string[] = []
  for (const [file, way] of ways) {
    for (const name of loadedBy(read(file))) {
      if (/^next(\/|$)/.test(name)) wrong.push(`${way}${file} -> ${name}`)
      const target = fileOf(targetOf(file, name) ?? 'none of ours')
      if (target && !ways.has(target)) ways.set(target, `${way}${file} -> `)
    }
  }
  expect(wrong).toEqual([])
  expect([...ways.keys()]).toEqual(
    expect.arrayContaining(['components/consent/consent-page.tsx', 'components/auth/sign-in-form.tsx']),
  )
})
