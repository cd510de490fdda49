import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FullConfig } from '@playwright/test'
import { testPort } from '@/lib/testing/free-port'
import { makeTemporaryData, removeLeftovers, removeTemporaryData } from '@/lib/testing/temporary-data'
import { cleanEnvironment } from '@/lib/testing/test-environment'
import { findChromium } from './chromium'
import { publish } from './environment'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** Playwright's global setup: the browser, and the product for each project, each on a database of its own. */
export default async function setUp({ projects }: FullConfig): Promise<() => Promise<void>> {
  removeLeftovers()
  const demoPassword = `demo-${randomBytes(6).toString('hex')}`
  const packed = await packElsewhere()
  const server = await startProduct([], demoPassword)
  const routes = projects.some(({ name }) => name === 'routes')
    ? await startProduct(['--next'], demoPassword)
    : server
  const stop = async () => {
    await Promise.all([server.stop(), routes.stop()])
    removeTemporaryData(path.dirname(packed))
  }
  try {
    const [browser] = await Promise.all([findChromium(), server.ready, routes.ready])
    publish({ urls: { server: server.url, routes: routes.url }, demoPassword, packed, browser })
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

/** Makes the folder that an image holds, and copies it away from the repository. @returns the copy */
async function packElsewhere(): Promise<string> {
  await promisify(execFile)(process.execPath, [path.join(root, 'scripts/start.mjs'), '--build'], {
    env: cleanEnvironment(),
  })
  const packed = path.join(makeTemporaryData(), 'packed')
  fs.cpSync(path.join(root, 'dist/standalone'), packed, { recursive: true, verbatimSymlinks: true })
  return packed
}

export type Product = {
  url: string
  dataDir: string
  /** The launcher, whose exit code `ended` tells. */
  child: ChildProcess
  ready: Promise<void>
  ended: Promise<number | null>
  /** What the launcher has said so far. */
  output: () => string
  stop: () => Promise<void>
}

/**
 * Starts the product as a user would, through its launcher, with demo data in a temporary folder.
 * @param args `--next` for `next start` instead of server.ts
 * @param settings besides those of a demo
 * @returns at once; `ready` rejects with what the launcher said, when the product does not come up
 */
export async function startProduct(
  args: string[],
  demoPassword: string,
  settings: Record<string, string> = {},
): Promise<Product> {
  const port = await testPort()
  const dataDir = makeTemporaryData()
  const child = spawn(process.execPath, [path.join(root, 'scripts/start.mjs'), ...args], {
    cwd: root,
    env: {
      ...cleanEnvironment(),
      ENV_FILE: path.join(dataDir, 'none'),
      PORT: String(port),
      DATA_DIR: dataDir,
      DEMO_PASSWORD: demoPassword,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk
      if (output.includes('is ready at')) resolve()
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    void ended.then(() => reject(new Error(`The product did not start:\n${output}`)))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    removeTemporaryData(dataDir)
  }
  return { url: `http://localhost:${port}`, dataDir, child, ready, ended, output: () => output, stop }
}
