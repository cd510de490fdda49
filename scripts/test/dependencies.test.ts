import { describe, expect, it } from 'vitest'
import packageJson from '@/package.json'
import { outsideProduct } from '../pack/bill-of-materials'
import { floorOf, importsOf } from './imports'
import { filesLike, read } from './sources'

/** Returns the package of a module, or undefined for the repository's own files and Node's modules. */
const packageOf = (name: string) =>
  name.startsWith('.') || name.startsWith('@/') || name.startsWith('node:')
    ? undefined
    : name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/')

/** Returns which packages of a list the files import, each with the file. */
const importedFrom = (files: string[], packages: readonly string[]) =>
  files
    // These files contain programs for the reader's own project as text.
    .filter((file) => !file.startsWith('lib/features/docs/snippets/'))
    .flatMap((file) => importsOf(read(file)).map((name) => [file, packageOf(name)] as const))
    .filter(([, name]) => name !== undefined && packages.includes(name))

const product = filesLike(/\.tsx?$/).filter((file) => floorOf(file) !== undefined || file === 'server.ts')
const launcher = filesLike(/^scripts\/(bootstrap|launch|pack)\/.*(?<!\.test)\.(ts|mjs)$/)
const tools = Object.keys(packageJson.devDependencies)

describe('a start without the development dependencies', () => {
  it('has every package that the product imports', () => {
    expect(importedFrom(product, [...tools, ...outsideProduct])).toEqual([])
  })

  it('has every package that the examples import', () => {
    expect(importedFrom(filesLike(/^examples\/.*\.mjs$/), tools)).toEqual([])
  })

  it('has every package that the launcher and the build configuration import', () => {
    const configuration = ['next.config.mjs', 'postcss.config.mjs', 'tailwind.config.ts', 'prisma.config.ts']
    expect(importedFrom([...launcher, ...configuration], tools)).toEqual([])
  })
})
