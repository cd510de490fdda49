import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanEnvironment } from '@/lib/testing/test-environment'

/** A production server, started as in a container. */
export type Server = {
  base: string
  child: ChildProcess
  /** The exit code, or the signal that ended the server. */
  ended: Promise<number | NodeJS.Signals | null>
  /** Returns the server's output so far. */
  output: () => string
  /**
   * Waits until /readyz responds with 200.
   * @returns the time since the start, in milliseconds
   * @throws Error with the end of the output if the server exits, or is not ready two minutes after its start
   */
  ready: () => Promise<number>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts `node dist/server.js`. When this process exits, the server is killed.
 * @param dir the folder of the release
 */
export function startServer(port: number, settings: Record<string, string>, dir = process.cwd()): Server {
  const since = performance.now()
  const base = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [path.join(dir, 'dist/server.js')], {
    cwd: dir,
    env: { ...cleanEnvironment(), PORT: String(port), NODE_NO_WARNINGS: '1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('exit', (code, signal) => {
      running.delete(child)
      resolve(code ?? signal)
    }),
  )
  return {
    base,
    child,
    ended,
    output: () => output,
    async ready() {
      while (!(await isReady(base))) {
        if (child.exitCode !== null || performance.now() - since > 120_000)
          throw new Error(`A server did not become ready:\n${output.slice(-2_000)}`)
        await sleep(25)
      }
      return performance.now() - since
    },
  }
}

export const isReady = (base: string): Promise<boolean> =>
  fetch(`${base}/readyz`, { signal: AbortSignal.timeout(3_000) }).then(
    (answer) => answer.arrayBuffer().then(() => answer.status === 200),
    () => false,
  )
