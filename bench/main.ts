import type { BenchDatabase } from './machine/database'
import { openBenchDatabase } from './machine/database'
import { pinDriver } from './machine/pinning'
import { compare } from './modes/compare'
import { type Options, readOptions, usage } from './options'

/** `npm run bench`: docs/benchmarks.md says what it measures and shows a run. */
const modes: Partial<
  Record<Options['mode'], (options: Options, database: BenchDatabase) => Promise<boolean>>
> = {
  compare,
}

async function main(): Promise<boolean> {
  let options: Options
  try {
    options = readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    return false
  }
  pinDriver()
  const database = await openBenchDatabase()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => database.release().finally(() => process.exit(130)))
  }
  try {
    return (await modes[options.mode]?.(options, database)) ?? false
  } finally {
    await database.release()
  }
}

process.exit((await main()) ? 0 : 1)
