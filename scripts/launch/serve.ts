import { spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { startServer } from '@/app/start-server'
import { config } from '@/lib/base/config/env'
import { listenAddresses } from '@/lib/base/config/listen-addresses.mjs'
import { findCommit } from './commit'
import type { Context } from './context'
import type { Ending } from './ending'

/**
 * Starts the server: our own server (app/start-server.ts) in this process, or Next.js in a child process.
 * Returns when the server accepts requests.
 */
export async function serve({ mode, root, step }: Context, ending: Ending): Promise<void> {
  if (mode === 'serve') {
    const bundle = pathToFileURL(path.join(root, 'dist/start-server.js')).href
    const { startServer: start }: { startServer: typeof startServer } = await import(bundle)
    const server = await step('Starting the server', () => start(root), { quietBelow: 1_500, talks: true })
    ending.before(server.close)
    return
  }
  const command = mode === 'dev' ? 'dev' : 'start'
  await step(`Starting next ${command}`, () => runNext(root, command, ending), { talks: true })
}

/**
 * Starts the Next.js server and returns when it responds. Later, ends this process if the Next.js server
 * stops unexpectedly.
 * @throws Error if the Next.js server stops before it responds
 */
async function runNext(root: string, command: 'dev' | 'start', ending: Ending): Promise<void> {
  const { PORT, HOST } = config()
  // Pass only the first IP address, because Next.js listens on a single IP address.
  const [host] = listenAddresses(HOST)
  const args = [command, root, '--port', String(PORT), ...(host ? ['--hostname', host] : [])]
  const child = spawn(process.execPath, [path.join(root, 'node_modules/next/dist/bin/next'), ...args], {
    cwd: root,
    env: {
      UV_THREADPOOL_SIZE: '16',
      ...process.env,
      LATCHKEY_COMMIT: findCommit(root),
      NEXT_TELEMETRY_DISABLED: '1',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let wanted = true
  ending.atOnce(() => child.kill('SIGKILL'))
  ending.before(async () => {
    wanted = false
    child.kill('SIGTERM')
    await ended
  })
  const lost = ended.then(() => {
    if (wanted) throw new Error('Next.js stopped unexpectedly. See its output above.')
  })
  await Promise.race([lost, answers(`http://127.0.0.1:${PORT}/healthz`)])
  lost.catch((error) => ending.fail(error.message))
}

async function answers(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    await sleep(150)
  }
}
