import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Mode } from '../options'
import { table, whole } from '../table'
import { sections } from './sections'

/** What one mode printed, and how it came to its end. */
export type Result = { mode: Mode; args: string[]; end: 'good' | 'failed' | 'stopped'; output: string }

const here = import.meta.dirname

/** Tables that say whether a goal is reached; `goals.ts` makes them. */
const goalTable = /^\| goal \|.*\n\|.*\n((?:\|.*\n?)*)\n?/gm
/** The two lines `describeMachine` puts first. */
const machineLines = /^(.+)\n(PostgreSQL .+)\n/

/** docs/performance/results.md: what is always true of it, then what was printed, with no figure from anywhere else. */
export function writeDocument(results: Result[]): string {
  const [, machine = '', postgres = ''] = machineLines.exec(results[0]?.output ?? '') ?? []
  const rows = results.flatMap(({ output }) =>
    [...output.matchAll(goalTable)].flatMap(([, each]) => each?.trim()),
  )
  const compared = results.find(({ mode }) => mode === 'compare')?.output ?? ''
  const [date, ...place] = machine.split('  ')
  return [
    fs.readFileSync(path.join(here, 'head.md'), 'utf8').trim(),
    `## This run\n\n${[
      `- ${date}, commit ${commit()}`,
      `- ${place.join(' ')}`,
      `- ${postgres}`,
      `- Yardsticks: ${versions()}`,
    ].join('\n')}`,
    `## Statements\n\n${statements()}`,
    `## Goals\n\n${judge(rows)}`,
    `## What a processor serves\n\n${capacity(compared)}`,
    ...results.map(section),
  ]
    .join('\n\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .concat('\n')
}

function judge(tables: (string | undefined)[]): string {
  const rows = tables.flatMap((each) => each?.split('\n') ?? [])
  if (rows.length === 0) return 'This run judged none.'
  const missed = rows.filter((each) => each.includes('not met')).length
  return [
    `${rows.length - missed} of ${rows.length} are met${missed ? `, ${missed} missed` : ''}. A ratio of 2 stands for half the CPU of server and database together, or for twice the throughput; goals are judged by the CPU, which other work on the machine disturbs least. A page is judged by its bytes and by the CPU of the server.`,
    missed ? 'What the operations that miss one spend their time on stands under *Where the time goes*.' : '',
    `| goal | CPU | throughput |  |\n| --- | --- | --- | --- |\n${rows.join('\n')}`,
  ].join('\n\n')
}

/** From CPU a request to requests a second, for docs/performance/scaling.md. */
function capacity(output: string): string {
  const serves = (us = '') =>
    Number(us.replaceAll(',', '')) >= 1 ? whole(1e6 / Number(us.replaceAll(',', ''))) : '-'
  const rows = output
    .split(/^### /m)
    .slice(1)
    .flatMap((part) => {
      const costs = /^\| latchkey \|(.*)\|$/m
        .exec(part)?.[1]
        ?.split('|')
        .map((cell) => cell.trim())
      return costs ? [[part.split('\n', 1)[0] as string, serves(costs[4]), serves(costs[5])]] : []
    })
  if (rows.length === 0) return 'This run did not measure it.'
  return [
    'A second of CPU divided by what an operation costs: how many of them one processor serves that does nothing else.',
    table(['operation', 'a processor of the server', 'a processor of the database'], rows),
  ].join('\n\n')
}

function section({ mode, args, end, output }: Result): string {
  const { title, before, after } = sections[mode]
  const quoted = args.map((each) => (each.includes(' ') ? `"${each}"` : each))
  const command = ['npm run bench --', mode, ...quoted].join(' ')
  const ends = {
    good: '',
    failed: 'This mode reported a failure or a check that did not hold; what it printed stands as it is.',
    stopped: 'This mode was stopped when its time was over; what it had printed by then stands as it is.',
  }
  const printed = output.replace(machineLines, '').replaceAll(goalTable, '').trim()
  return [`## ${title}`, before, `    ${command}`, ends[end], printed || 'Nothing was printed.', after].join(
    '\n\n',
  )
}

/** The rows of the test that counts them: a document cannot differ from what is asserted. */
function statements(): string {
  const file = 'lib/edges/oauth/flows/statements.db.test.ts'
  const test = fs.readFileSync(path.join(here, '../..', file), 'utf8')
  const rows = [...test.matchAll(/^ *\['([^']+)', \[([^\]]*)\], (\d+)\],$/gm)].map(
    ([, name = '', kinds = '', commits = '']) => [name, kinds.match(/'/g)?.length ?? 0, commits] as const,
  )
  return [
    `\`${file}\` asserts this table, because a count is not a timing. Each write is one statement that commits by itself: no operation opens a transaction.`,
    table(
      ['operation', 'statements', 'commits'],
      rows.map(([name, quotes, commits]) => [name, quotes / 2, commits]),
    ),
    'A client secret costs one SHA-256. When a client was changed, or is new to a process, its row is read once more. Last-used times and request counts are settled about once a second for all requests together.',
  ].join('\n\n')
}

function commit(): string {
  const { stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: here, encoding: 'utf8' })
  return stdout?.trim() || 'unknown'
}

function versions(): string {
  const file = path.join(here, '../yardsticks/package.json')
  const { dependencies } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
    dependencies: Record<string, string>
  }
  return ['oidc-provider', '@prisma/client', 'better-auth', 'graphql-yoga', 'mercurius', 'fastify']
    .map((name) => `${name} ${dependencies[name]}`)
    .join(', ')
}
