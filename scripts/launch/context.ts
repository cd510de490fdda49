import type { whenChanged } from '../bootstrap/fingerprint.mjs'
import type { step } from '../bootstrap/progress.mjs'
import type { run } from '../bootstrap/run.mjs'

/**
 * The values and functions that scripts/bootstrap passes to the compiled launcher. The launcher does not
 * import these functions itself, so that their modules are loaded only once per process.
 */
export type Context = {
  /**
   * - `serve`: runs our own server (app/start-server.ts).
   * - `dev`: runs `next dev`.
   * - `next`: runs `next start`, with OAuth and GraphQL as route handlers.
   * - `build`: packs the product into a folder and does not serve it.
   * - `generate`: stops after generating code and building the files of public/.
   * - `commands`: stops after compiling the server's programs, including scripts/latchkey.ts.
   * - `release`: builds the pages and migrates the database (release.ts), for a build on a serverless
   *   platform.
   */
  mode: 'serve' | 'dev' | 'next' | 'build' | 'generate' | 'commands' | 'release'
  /** The repository's folder. */
  root: string
  /** Releases the build lock, so that the next launcher can build in this folder. */
  release: () => void
  /** Removes the signal handlers of scripts/bootstrap. */
  leaveSignals: () => void
  run: typeof run
  step: typeof step
  whenChanged: typeof whenChanged
}
