import path from 'node:path'
import { alternate } from '../driver/alternate'
import type { BenchDatabase } from '../machine/database'
import { startServerProcess } from '../machine/server-process'
import { basePort, type Options } from '../options'
import { describeMachine, ratios, reportOperation } from '../report'
import { fraction, table } from '../table'
import { startLatchkey } from '../targets/latchkey'
import type { Target } from '../targets/target'

const tool = 'a tool call'
const api = 'the same operation through GraphQL'
const bare = 'the MCP library alone'

/**
 * The goal: the maximum CPU time of a tool call, relative to the CPU time of the same operation through
 * GraphQL.
 */
const most = 1.3

/** Compares a tool call with the same operation through GraphQL, and with the MCP library alone. */
export async function mcp(options: Options, database: BenchDatabase): Promise<boolean> {
  console.log(describeMachine(database))
  const latchkey = await startLatchkey({
    ...options,
    port: basePort,
    databaseUrl: await database.create('bench_mcp'),
  })
  const targets: Target[] = [
    { ...latchkey, name: tool, paths: { tool: '/mcp' } },
    { ...latchkey, name: api, paths: { tool: '/graphql/v2' } },
  ]
  try {
    targets.push({ ...latchkey, ...(await startBare(basePort + 1)), name: bare, paths: { tool: '/mcp' } })
    const rounds = await alternate(targets, 'mcp-list', options, database)
    console.log(reportOperation(rounds, tool))
    const times = ratios(rounds, api, tool).cpu
    const compared = ratios(rounds, bare, tool).cpu
    console.log(
      `\n${table(
        ['a tool call', 'x CPU', 'goal', ''],
        [
          [
            'compared with the same operation through GraphQL',
            fraction(times),
            `at most ${most}`,
            times <= most ? 'met' : '**not met**',
          ],
          ['compared with the MCP library alone, which reads no database', fraction(compared), '', ''],
        ],
      )}`,
    )
    return rounds.every(({ failures }) => failures === 0)
  } finally {
    await Promise.all([...new Set(targets.map(({ server }) => server))].map((server) => server.stop()))
  }
}

async function startBare(port: number): Promise<Pick<Target, 'base' | 'server'>> {
  const base = `http://127.0.0.1:${port}`
  const cwd = path.join(import.meta.dirname, '../..')
  const env = { PORT: String(port) }
  return { base, server: await startServerProcess(['bench/yardsticks/mcp.mjs'], { cwd, env, probe: base }) }
}
