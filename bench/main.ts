import { type BenchDatabase, openBenchDatabase } from './machine/database'
import { pinDriver } from './machine/pinning'
import { citus } from './modes/citus'
import { cleanUp } from './modes/clean-up'
import { compare } from './modes/compare'
import { costs } from './modes/costs'
import { growth } from './modes/growth'
import { mcp } from './modes/mcp'
import { memory } from './modes/memory'
import { pages } from './modes/pages'
import { profile } from './modes/profile'
import { replicas } from './modes/replicas'
import { telemetry } from './modes/telemetry'
import { type Mode, type Options, readOptions, usage } from './options'

/** The modes of `npm run bench`, which docs/performance/method.md describes. See ADR 0003. */
const modes: Record<Mode, (options: Options, database: BenchDatabase) => Promise<boolean>> = {
  compare,
  growth,
  memory,
  replicas,
  pages,
  telemetry,
  mcp,
  profile,
  costs,
  'clean-up': cleanUp,
  citus,
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
  const database = await openBenchDatabase(options.buffers)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => database.release().finally(() => process.exit(130)))
  }
  try {
    return await modes[options.mode](options, database)
  } finally {
    await database.release()
  }
}

process.exit((await main()) ? 0 : 1)
