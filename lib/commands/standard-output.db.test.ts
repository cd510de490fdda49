import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import esbuild from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeUser } from '@/lib/testing/factories'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'

const root = process.cwd()
const folder = makeTemporaryData()
/**
 * The folder of the compiled commands. It is next to the build, so that Node finds their packages. The
 * commands are split into chunks, as in the build, so that a command loads only the code that it uses.
 */
const built = path.join(root, 'dist', `commands-${process.pid}`)
const program = path.join(built, 'commands.js')

beforeAll(async () => {
  await esbuild.build({
    stdin: {
      contents: `import { main } from '@/lib/commands/main'
        process.exitCode = await main(process.argv.slice(2), ${JSON.stringify(root)}, {})`,
      resolveDir: root,
    },
    entryNames: 'commands',
    outdir: built,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
  })
})
afterAll(() => {
  fs.rmSync(built, { recursive: true, force: true })
  removeTemporaryData(folder)
})

/** Runs a command in a separate process with the most verbose log. */
async function run(
  words: string[],
  input = '',
): Promise<{ code: number | null; out: string[]; err: string[] }> {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: root,
    env: {
      ...process.env,
      ...{ NODE_ENV: 'production', LOG_LEVEL: 'debug' },
    },
  })
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk
    })
  }
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const lines = (all: string) => all.split('\n').filter(Boolean)
  return { code, out: lines(text.stdout), err: lines(text.stderr) }
}

const isLogLine = (line: string): boolean => {
  try {
    return 'level' in JSON.parse(line)
  } catch {
    return /^\{|^\[\d\d:\d\d/.test(line)
  }
}

const password = 'quiet harbor seventeen lanterns'
const users = path.join(folder, 'users.ndjson')

/** Every command, its expected standard output, and its exit code. */
const commands: [string[], { out: RegExp[]; code?: number; input?: string }][] = [
  [['migrate'], { out: [/^The database was up to date\.$/] }],
  [
    ['create-admin', '--email', 'ada@example.com', '--password-stdin'],
    { out: [/^Created ada@example\.com, an instance admin\.$/], input: `${password}\n` },
  ],
  [['create-admin', '--email', 'x@example.com', '--password-stdin'], { out: [], code: 1, input: 'short\n' }],
  [['grant-admin', 'grace@example.com'], { out: [/ is now an instance admin\.$/] }],
  [['revoke-admin', 'grace@example.com'], { out: [/./] }],
  [['rotate-keys'], { out: [/^New keys .* sign from .*\.$/] }],
  [['reseal', '--check'], { out: [/./] }],
  [['remove-demo'], { out: [/^There is no demo data\.$/] }],
  [
    ['import', users],
    {
      out: [
        /^line 2: skipped\. The entry has no email address\.$/,
        /^Imported 1, updated 0, unchanged 0, skipped 1 of 2 users\.$/,
      ],
      code: 1,
    },
  ],
  [['check'], { out: Array.from({ length: 9 }, () => /^(ok {5}|warning|ERROR {2}) {2}\S/) }],
  [['distribute'], { out: [], code: 1 }],
  [['backup', path.join(folder, 'copy')], { out: [], code: 1 }],
  [['restore', path.join(folder, 'copy')], { out: [], code: 1 }],
]

describe('the standard output of a command', () => {
  it('contains the result and no log lines', async () => {
    await makeUser({ email: 'grace@example.com' })
    fs.writeFileSync(users, '{"email":"eve@example.com"}\n{}\n')
    const logged: string[] = []
    for (const [words, { out: expected, code: expectedCode = 0, input }] of commands) {
      const { code, out, err } = await run(words, input)
      expect({ words, code, err: code === expectedCode ? [] : err }).toEqual({
        words,
        code: expectedCode,
        err: [],
      })
      expect(out.filter(isLogLine)).toEqual([])
      if (words[0] !== 'check' && words[0] !== 'reseal') expect(out).toHaveLength(expected.length)
      expect(out.filter((line) => !expected.some((each) => each.test(line)))).toEqual([])
      expect(`${out}${err}`).not.toContain(password)
      logged.push(...err.filter(isLogLine))
    }
    // The commands above logged something. For example, the email to a new instance admin was not sent.
    expect(logged.length).toBeGreaterThan(0)
    expect(await prisma().user.count({ where: { instanceAdmin: true } })).toBe(1)
  }, 300_000)

  it('contains only the exported data if the command is `latchkey export`', async () => {
    const { code, out } = await run(['export', '-'])
    expect(code).toBe(0)
    const rows = out.map((line) => JSON.parse(line))
    expect(rows[0]).toMatchObject({ format: 'latchkey-export' })
    expect(rows.at(-1)).toEqual({ end: true, rows: rows.length - 2 })
  }, 60_000)

  it('is tested for every command except `serve` and `version`', async () => {
    const { out } = await run(['--help'])
    const names = out.flatMap((line) => /^ {2}([a-z-]+) {2}/.exec(line)?.[1] ?? [])
    const tried = new Set([...commands.map(([[name]]) => name), 'export', 'serve'])
    expect(names.filter((name) => !tried.has(name) && name !== 'version')).toEqual([])
    expect(names.length).toBeGreaterThan(12)
  }, 60_000)
})
