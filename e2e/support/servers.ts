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
import { type Environment, publish } from './environment'
import { startSharedCluster } from './own-database'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/**
 * Playwright's global setup. Prepares the browser, starts the product with a separate database for each
 * Playwright project, and starts the cluster for the databases of single tests. Packs the product while the
 * first tests run (see `packedFolder`).
 * @returns a function that stops all servers and removes their data
 */
export default async function setUp({ projects }: FullConfig): Promise<() => Promise<void>> {
  removeLeftovers()
  const demoPassword = `demo-${randomBytes(6).toString('hex')}`
  const data = makeTemporaryData()
  const cluster = await startSharedCluster(data)
  const server = await startProduct([], demoPassword)
  const routes = projects.some(({ name }) => name === 'routes')
    ? await startProduct(['--next'], demoPassword)
    : server
  let endPacking = async () => {}
  const stop = async () => {
    await endPacking()
    await Promise.all([server.stop(), routes.stop(), cluster.release()])
    removeTemporaryData(data)
  }
  try {
    const [browser] = await Promise.all([findChromium(), server.ready, routes.ready])
    const urls = { server: server.url, routes: routes.url }
    const packing = { folder: path.join(data, 'packed'), failure: path.join(data, 'packing-failed') }
    publish({ urls, demoPassword, packing, templateUrl: cluster.url, browser })
    // Starting the product has also built it, so packing does not build again.
    endPacking = packElsewhere(packing)
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

/**
 * Starts to create the folder that the container image contains and to copy it outside the repository. If
 * this fails, writes the reason to the file `failure`.
 * @returns a function that stops the packing if the packing has not finished
 */
function packElsewhere({ folder, failure }: Environment['packing']): () => Promise<void> {
  const running = promisify(execFile)(process.execPath, [path.join(root, 'scripts/start.mjs'), '--build'], {
    env: cleanEnvironment(),
  })
  const done = running
    .then(async () => {
      const half = `${folder}.half`
      await fs.promises.cp(path.join(root, 'dist/standalone'), half, {
        recursive: true,
        verbatimSymlinks: true,
      })
      fs.renameSync(half, folder)
    })
    .catch((error) => fs.writeFileSync(failure, `The product was not packed: ${error}`))
  return async () => {
    running.child.kill('SIGTERM')
    await done
  }
}

export type Product = {
  url: string
  dataDir: string
  /** The launcher's process. */
  child: ChildProcess
  ready: Promise<void>
  /** Resolves with the launcher's exit code, or with null if a signal ended the launcher. */
  ended: Promise<number | null>
  /** Returns the launcher's output so far. */
  output: () => string
  stop: () => Promise<void>
}

/**
 * Starts the product as a user would, through its launcher, with demo data in a temporary folder.
 * @param args arguments for the launcher; `--next` runs `next start` instead of server.ts
 * @param settings in addition to the demo's settings
 * @returns the starting product, whose `ready` promise rejects with the launcher's output if the start fails
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
      ENV_FILE: '',
      PORT: String(port),
      DATA_DIR: dataDir,
      DEMO_PASSWORD: demoPassword,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let output = ''
  let isReady = false
  const ready = new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk
      // Search only until the server is ready, because the log becomes long and each search reads all of it.
      if (isReady || !output.includes('is ready at')) return
      isReady = true
      resolve()
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
