import { parseArgs } from 'node:util'
import { type Operation, operationNames, operationsCalled } from './operations/operations'

/** The first of the servers' ports. */
export const basePort = Number(process.env.BENCH_PORT ?? 4500)

export type Mode = (typeof modes)[number]
const modes = [
  'compare',
  'growth',
  'memory',
  'replicas',
  'pages',
  'clean-up',
  'telemetry',
  'mcp',
  'profile',
  'costs',
  'citus',
] as const

export type Options = {
  mode: Mode
  /**
   * The selected operations. If the list is empty, modes measure their default operations. Some modes ignore
   * the list.
   */
  operations: Operation[]
  targets: string[]
  /** A commit with which this build is compared. If it is set, the yardsticks are not measured. */
  against?: string
  rounds: number
  seconds: number
  /** The maximum number of warm-up requests for each target and operation. */
  warm: number
  concurrency: number
  /** The number of rows with which to fill a database or, in the memory mode, the number of requests. */
  size?: number
  /** The value of PostgreSQL's `shared_buffers`. If it is omitted, PostgreSQL's default applies. */
  buffers?: string
  json?: string
  /** Node's arguments for the measured servers, such as `--cpu-prof --cpu-prof-dir=profiles`. */
  nodeArgs: string[]
}

export const usage = `npm run bench -- [${modes.join(' | ')}] [options]
  --ops refresh,code-web  operations, or prefixes of their names (${operationNames.join(', ')})
  --targets latchkey,p1   any of latchkey, p1, p2, p3, p3-rs256, p5y, p5m
  --against COMMIT        compare this build with that commit in turns, and print the ratios of server CPU per request
  --rounds 5 --seconds 2  alternating rounds, and the approximate duration of each measurement
  --warm 4000             warm-up requests for each target and operation (fewer for a slow target)
  --concurrency 16        keep-alive connections
  --size N                rows (growth, citus) or requests (memory)
  --buffers 2GB           shared_buffers of PostgreSQL (default: 128MB; not for citus)
  --json FILE             also write each measurement to a file (costs: for npm run capacity)
  --node-args="..."       for Latchkey's server, such as "--cpu-prof --cpu-prof-dir=profiles"`

const list = (text: string | undefined) => text?.split(',').filter(Boolean) ?? []

/**
 * Returns the options from the command-line arguments, with defaults for missing options.
 * @throws Error for an unknown option, mode, or operation, or if a number is not greater than 0
 */
export function readOptions(args: string[]): Options {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...{ ops: text, targets: text, rounds: text, seconds: text, warm: text, concurrency: text },
      ...{ against: text, size: text, buffers: text, json: text, 'node-args': text },
    },
  })
  const number = (name: keyof typeof values, fallback: number) => {
    const value = Number(values[name] ?? fallback)
    if (!(value > 0)) throw new Error(`--${name} must be a number greater than 0.`)
    return value
  }
  const mode = (positionals[0] ?? 'compare') as Mode
  if (!modes.includes(mode))
    throw new Error(`There is no mode "${mode}". Available modes: ${modes.join(', ')}.`)
  for (const name of list(values.ops)) {
    if (operationsCalled(name).length === 0) throw new Error(`There is no operation "${name}".`)
  }
  return {
    mode,
    operations: [...new Set(list(values.ops).flatMap(operationsCalled))],
    targets: list(values.targets),
    against: values.against,
    rounds: number('rounds', 5),
    seconds: number('seconds', 2),
    warm: number('warm', 4_000),
    concurrency: number('concurrency', 16),
    size: values.size === undefined ? undefined : number('size', 0),
    buffers: values.buffers,
    json: values.json,
    nodeArgs: values['node-args']?.split(' ').filter(Boolean) ?? [],
  }
}
