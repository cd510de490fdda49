import { expect, it } from 'vitest'
import packageJson from '@/package.json'
import { floorOf, importsOf } from './imports'
import { filesLike, read } from './sources'

/** The package that a module belongs to; undefined for a file of ours, and for one of Node's. */
const packageOf = (name: string) =>
  name.startsWith('.') || name.startsWith('@/') || name.startsWith('node:')
    ? undefined
    : name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/')

it('what the product imports is there without the development dependencies', () => {
  const wrong = filesLike(/\.tsx?$/)
    .filter((file) => floorOf(file) !== undefined || file === 'server.ts')
    // Programs for the reader's own project, as text.
    .filter((file) => !file.startsWith('lib/features/docs/snippets/'))
    .flatMap((file) => importsOf(read(file)).map((name) => [file, packageOf(name)] as const))
    .filter(([, name]) => name !== undefined && name in packageJson.devDependencies)
  expect(wrong).toEqual([])
})
