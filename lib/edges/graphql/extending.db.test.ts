import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { cleanEnvironment } from '@/lib/testing/test-environment'

/**
 * Follows docs/develop/extending.md in a copy of the product. The code in the guide must compile, and its
 * test must pass.
 */
const root = process.cwd()
const copy = mkdtempSync(path.join(os.tmpdir(), 'latchkey-extending-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const run = promisify(execFile)
const node = (script: string, ...args: string[]) =>
  run(process.execPath, [path.join('node_modules', script), ...args], {
    cwd: copy,
    env: {
      ...withoutVitest(cleanEnvironment()),
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: '1',
    },
  }).catch((error) => {
    throw new Error(`${script} ${args.join(' ')} failed:\n${error.stdout}\n${error.stderr}`)
  })

/** Returns the environment variables of a test run that is independent of the outer test run. */
const withoutVitest = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !/^(VITEST|VITE_|TEST$)/.test(name))),
  NODE_ENV: 'test',
})

/**
 * Matches a code block with a file name: a new file, lines to append to a file, or lines to insert below a
 * line.
 */
const block = /^```\w+ file=(\S+)(?: below="([^\n]+)")?\n([\s\S]*?)^```$/gm

function follow(page: string): string[] {
  return [...page.matchAll(block)].map(([, file = '', below, code = '']) => {
    const target = path.join(copy, file)
    mkdirSync(path.dirname(target), { recursive: true })
    const before = existsSync(target) ? readFileSync(target, 'utf8') : ''
    if (below === undefined) {
      writeFileSync(target, before ? `${before}\n${code}` : code)
    } else {
      const lines = before.split('\n')
      const at = lines.findIndex((line) => line.startsWith(below))
      if (at < 0) throw new Error(`${file} has no line that begins with ${below}`)
      lines.splice(at + 1, 0, code.trimEnd())
      writeFileSync(target, lines.join('\n'))
    }
    return file
  })
}

it('the example in docs/develop/extending.md compiles and its test passes', async () => {
  const folders = ['app', 'bench', 'components', 'e2e', 'examples', 'lib', 'prisma', 'scripts']
  for (const name of [...folders, 'server.ts', 'proxy.ts']) {
    cpSync(path.join(root, name), path.join(copy, name), {
      recursive: true,
      filter: (source) => !/node_modules|\.(test|spec)\.tsx?$/.test(source),
    })
  }
  for (const name of [
    'tsconfig.json',
    'package.json',
    'playwright.config.ts',
    'prisma.config.ts',
    'vitest.config.ts',
    'tailwind.config.ts',
  ]) {
    cpSync(path.join(root, name), path.join(copy, name))
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), 'junction')

  const files = follow(readFileSync(path.join(root, 'docs/develop/extending.md'), 'utf8'))
  expect(files).toContain('lib/edges/graphql/schema/deployment.ts')
  await node('prisma/build/index.js', 'generate')
  await node('typescript/bin/tsc', '--noEmit', '--incremental', 'false')
  const { stdout } = await node(
    'vitest/vitest.mjs',
    'run',
    '--project',
    'integration',
    'lib/features/deployments',
  )
  expect(stdout).toMatch(/1 passed/)
}, 300_000)
