import fs from 'node:fs'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { hashPassword } from '@/lib/base/credentials/password'
import { openBenchDatabase, query } from '../bench/machine/database'
import { type Ask, openInspector } from '../bench/machine/profiler'
import { beginJourney, firstSignIn, password } from '../bench/operations/first-sign-in'
import type { Credential, OperationSpec } from '../bench/operations/operation'
import { operationSpec } from '../bench/operations/operations'
import { basePort } from '../bench/options'
import { table } from '../bench/table'
import { startLatchkey } from '../bench/targets/latchkey'
import type { Target } from '../bench/targets/target'

/**
 * `npm run walks` counts how many of our files each of several requests runs when the server is warm, and
 * writes the results to ARCHITECTURE.md. A file counts if at least one of its functions is called between the
 * request and a moment shortly after the response. This must happen in every measurement of the request, so
 * that a file does not count if only a timer runs it occasionally. V8's precise coverage records the calls,
 * and the build's source maps show the file of each function.
 *
 *     npm run walks              measures every request and writes the table
 *     npm run walks -- --check   fails if the table is out of date or a goal is missed
 *     npm run walks -- refresh   lists the files and functions of the requests whose name starts with `refresh`
 */

const root = path.join(import.meta.dirname, '..')
const document = path.join(root, 'ARCHITECTURE.md')
const INSPECTOR = basePort + 51
const WARM = 12
const MEASUREMENTS = 5
const TIMES = WARM + MEASUREMENTS

/**
 * How long a measurement continues after a response, in milliseconds, to include work such as the access log.
 */
const SETTLE_MS = 30

/**
 * The maximum number of files that each measured request should execute, by the request's name. Undefined for
 * a request without a goal.
 */
const goals: Record<string, number | undefined> = {
  refresh: 40,
  'code exchange': undefined,
  'consent page': 70,
  'consent decision': 60,
  'authorization response': undefined,
  'password sign-in': 50,
  'GraphQL projectCreate': 50,
  'list page': 100,
  '/mcp tool call': 45,
  '/oauth/me': undefined,
  introspection: undefined,
}

/** The names of the measured requests of `firstSignIn`, by the name of their step. */
const steps: Record<string, string> = {
  'password sent (argon2)': 'password sign-in',
  'consent page': 'consent page',
  'consent sent': 'consent decision',
  'authorization response': 'authorization response',
}

/** The names of the executed functions, by file. */
type Files = Map<string, Set<string>>

/** The executed files of each measured request, by the request's name. */
type Walks = Map<string, Files>

async function main(args: string[]): Promise<boolean> {
  const database = await openBenchDatabase()
  try {
    const walks = await measure(await database.create('walks'))
    const [wanted] = args.filter((arg) => !arg.startsWith('-'))
    if (wanted !== undefined) return list(walks, wanted)
    const text = tableOf(walks)
    console.log(text)
    return args.includes('--check') ? check(walks, text) : write(text)
  } finally {
    await database.release()
  }
}

async function measure(databaseUrl: string): Promise<Walks> {
  const target = await startLatchkey({
    port: basePort,
    databaseUrl,
    nodeArgs: [`--inspect=127.0.0.1:${INSPECTOR}`],
    env: { TRUST_PROXY: '1', ACCESS_LOG: '1' },
  })
  const inspector = await openInspector(INSPECTOR)
  try {
    await inspector.ask('Profiler.enable')
    await inspector.ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    const walks: Walks = new Map()
    for (const [name, send] of await requestsOf(target)) {
      const runs: Files[] = []
      for (let i = 0; i < TIMES; i++) {
        const files = await executed(inspector.ask, send)
        if (i >= WARM) runs.push(files)
      }
      walks.set(name, inAll(runs))
    }
    const hash = await hashPassword(password)
    await query(databaseUrl, `UPDATE users SET password_hash = '${hash}'; DELETE FROM authorizations`)
    for (const [name, files] of await signInWalks(inspector.ask, target)) walks.set(name, files)
    return new Map(Object.keys(goals).map((name) => [name, walks.get(name) as Files]))
  } finally {
    inspector.close()
    await target.server.stop()
  }
}

/**
 * Returns the functions that send the repeatable requests, by the request's name. Each call sends one
 * request.
 */
async function requestsOf(target: Target): Promise<Map<string, () => Promise<void>>> {
  const [session] = await target.mint('session', 1, 'native')
  const base = operationSpec('graphql-mutation')
  const create: OperationSpec = {
    ...base,
    request: (place) => (lane) => {
      const request = base.request(place)(lane)
      return { ...request, body: JSON.stringify({ query: createProject, variables: lane.own.variables }) }
    },
    check: (text) => must(text, /"projectCreate":\{"id"/),
  }
  return new Map([
    ['refresh', await sender(target, operationSpec('refresh-native'))],
    ['code exchange', await sender(target, operationSpec('code-native'))],
    ['/oauth/me', await sender(target, operationSpec('userinfo-native'))],
    ['introspection', await sender(target, operationSpec('introspect-web'))],
    ['GraphQL projectCreate', await sender(target, create)],
    ['/mcp tool call', await sender({ ...target, paths: { tool: '/mcp' } }, operationSpec('mcp-list'))],
    [
      'list page',
      async () => {
        const headers = { accept: 'text/html', cookie: session?.value ?? '' }
        const answer = await fetch(`${target.base}/workspaces/workspace-1/settings/developer`, { headers })
        must(await answer.text(), /Bench/)
      },
    ],
  ])
}

const createProject = `mutation ($workspaceId: ID!) {
  projectCreate(input: { workspaceId: $workspaceId, name: "Walk" }) { id name } }`

/**
 * Returns a function that sends a benchmark operation once. If the operation uses up its credential, each
 * call uses a new credential.
 */
async function sender(target: Target, spec: OperationSpec): Promise<() => Promise<void>> {
  const count = spec.use === 'once' ? TIMES : 1
  const credentials = await target.mint(spec.needs as NonNullable<OperationSpec['needs']>, count, spec.app)
  let used = 0
  const next = () => credentials[used++ % credentials.length] as Credential
  const lane = { own: credentials[0] as Credential, next }
  const client = target.clients[spec.app] as NonNullable<Target['clients']['native']>
  const build = spec.request({
    path: target.paths[spec.path] as string,
    client,
    redirectUri: target.redirectUri,
  })
  return async () => {
    const { method, path: address, headers, body } = build(lane)
    const answer = await fetch(target.base + address, { method, headers, body })
    spec.check?.(await answer.text(), lane)
  }
}

/**
 * Measures the requests of the first sign-in, each time with a different user. The first `WARM` sign-ins only
 * warm up the server.
 */
async function signInWalks(ask: Ask, target: Target): Promise<Walks> {
  const runs = new Map<string, Files[]>()
  for (let i = 0; i < TIMES; i++) {
    const journey = beginJourney(target, 1_000 + i)
    for (const { name, go } of firstSignIn) {
      const files = await executed(ask, () => go(journey))
      const walk = steps[name]
      if (walk && i >= WARM) runs.set(walk, [...(runs.get(walk) ?? []), files])
    }
  }
  return new Map([...runs].map(([name, files]) => [name, inAll(files)]))
}

function must(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`Unexpected response: ${text.slice(0, 300)}`)
}

const inAll = ([first = new Map(), ...others]: Files[]): Files =>
  new Map([...first].filter(([file]) => others.every((files) => files.has(file))).sort())

type Coverage = {
  result: {
    url: string
    functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[]
  }[]
}

/**
 * Sends a request and returns our files in which a function is called before the response or shortly after it
 * (`SETTLE_MS`), with the names of these functions.
 */
async function executed(ask: Ask, send: () => Promise<void>): Promise<Files> {
  await ask('Profiler.takePreciseCoverage')
  await send()
  await sleep(SETTLE_MS)
  const { result } = await ask<Coverage>('Profiler.takePreciseCoverage')
  const files: Files = new Map()
  for (const { url, functions } of result) {
    const script = scriptAt(url)
    if (!script) continue
    for (const { functionName, ranges } of functions) {
      const [range] = ranges
      const file = range && range.count > 0 ? script(range.startOffset) : undefined
      if (file) files.set(file, (files.get(file) ?? new Set()).add(functionName || '(unnamed)'))
    }
  }
  return files
}

/**
 * A function that returns our source file for an offset in a built script, or undefined if the code is not
 * ours.
 */
type Script = (offset: number) => string | undefined

const scripts = new Map<string, Script | undefined>()

function scriptAt(url: string): Script | undefined {
  if (!scripts.has(url)) scripts.set(url, readScript(url))
  return scripts.get(url)
}

function readScript(url: string): Script | undefined {
  const file = url.startsWith('file:') ? fileURLToPath(url) : url
  const own = path.relative(root, file)
  if (own.startsWith('..') || own.startsWith('node_modules') || !fs.existsSync(`${file}.map`))
    return undefined
  const lines = [0]
  const text = fs.readFileSync(file, 'utf8')
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.push(at + 1)
  const map = new SourceMap(JSON.parse(fs.readFileSync(`${file}.map`, 'utf8')))
  return (offset) => {
    const line = lines.findLastIndex((start) => start <= offset)
    const entry = map.findEntry(line, offset - (lines[line] as number))
    return 'originalSource' in entry ? fileOf(decodeURIComponent(entry.originalSource)) : undefined
  }
}

/**
 * Returns the path of one of our sources from the root, or undefined for other files, such as generated
 * files.
 */
function fileOf(source: string): string | undefined {
  if (/node_modules|lib\/generated/.test(source)) return undefined
  return /(?:^|\/)((?:app|components|lib)\/.+|(?:server|proxy|instrumentation)\.ts)$/.exec(source)?.[1]
}

function tableOf(walks: Walks): string {
  const rows = [...walks].map(([name, files]) => [name, files.size, goals[name] ?? ''])
  return table(['request', 'files', 'goal: at most'], rows)
}

function list(walks: Walks, wanted: string): boolean {
  const found = [...walks].filter(([name]) => name.startsWith(wanted))
  for (const [name, files] of found) {
    const lines = (file: string) => fs.readFileSync(path.join(root, file), 'utf8').split('\n').length - 1
    const rows = [...files].map(([file, functions]) => [file, lines(file), [...functions].join(', ')])
    console.log(`\n### ${name}: ${files.size} files\n\n${table(['file', 'lines', 'functions'], rows)}`)
  }
  if (found.length === 0)
    console.error(`There is no request "${wanted}". Available requests: ${Object.keys(goals).join(', ')}`)
  return found.length > 0
}

const marked = /(?<=<!-- walks -->\n).*(?=<!-- \/walks -->)/s

/** Returns the text that must be between the markers in ARCHITECTURE.md. */
const block = (text: string) => `\n${text}\n\n`

function write(text: string): boolean {
  const written = fs.readFileSync(document, 'utf8').replace(marked, () => block(text))
  fs.writeFileSync(document, written)
  return true
}

function check(walks: Walks, text: string): boolean {
  const missed = [...walks].filter(([name, files]) => files.size > (goals[name] ?? Number.POSITIVE_INFINITY))
  for (const [name, files] of missed)
    console.error(`${name} executes ${files.size} files, which is more than its goal.`)
  const isCurrent = marked.exec(fs.readFileSync(document, 'utf8'))?.[0] === block(text)
  if (!isCurrent)
    console.error('ARCHITECTURE.md shows other figures. Run `npm run walks`, and commit the result.')
  return missed.length === 0 && isCurrent
}

process.exit((await main(process.argv.slice(2))) ? 0 : 1)
