import type { whenChanged } from '../bootstrap/fingerprint.mjs'
import type { step } from '../bootstrap/progress.mjs'
import type { run } from '../bootstrap/run.mjs'

/** What scripts/bootstrap hands over once this launcher is compiled. Passed in, so that each exists once per process. */
export type Context = {
  /**
   * `serve`: the product on server.ts. `dev`: `next dev`. `next`: the same product on `next start`, both mounts as route
   * handlers. `build` packs the product into a folder instead of serving it; `generate` stops after that step, `commands`
   * when scripts/latchkey.ts is compiled. `release`: the pages are built and the database is migrated, for platforms that run the build
   * themselves.
   */
  mode: 'serve' | 'dev' | 'next' | 'build' | 'generate' | 'commands' | 'release'
  /** The clone. */
  root: string
  /** Lets the next launcher build in this clone. */
  release: () => void
  /** Ends the bootstrap's own handling of signals. */
  leaveSignals: () => void
  run: typeof run
  step: typeof step
  whenChanged: typeof whenChanged
}
