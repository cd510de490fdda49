import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { testPort } from '@/lib/testing/free-port'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { cleanEnvironment } from '@/lib/testing/test-environment'

/**
 * A function of the build: a separate process in a folder that contains only the files that were traced for
 * it.
 */
export type HostedFunction = {
  /**
   * Thaws the function and sends it a request from `platformAddress`, as the platform does. Does not follow
   * redirects.
   */
  invoke: (path: string, init?: RequestInit) => Promise<Response>
  /** Resolves when the function is frozen after all its requests. */
  frozen: () => Promise<void>
  /** Returns the function's standard output and standard error so far. */
  output: () => string
  stop: () => Promise<void>
}

/** The client's IP address that the platform reports. */
export const platformAddress = '203.0.113.7'

const root = process.cwd()
const require = createRequire(import.meta.url)
const read = (file: string) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'))

/** Returns the paths, relative to the clone, of a file of the build and of the files in its trace. */
function traced(file: string): string[] {
  const { files } = read(`${file}.nft.json`) as { files: string[] }
  const folder = path.dirname(file)
  return [file, ...files.map((each) => path.posix.join(folder, each))]
}

/**
 * Returns the files of a function according to `next build`: the files in the function's own trace, the files
 * in the trace of instrumentation.ts, and the files that every function contains.
 */
function filesOf(page: string): Set<string> {
  const { files } = read('.next/required-server-files.json') as { files: string[] }
  return new Set([
    ...traced(`.next/server/app/${page}.js`),
    ...traced('.next/server/instrumentation.js'),
    ...files,
  ])
}

/** Copies files into an empty folder. Symbolic links remain symbolic links, and missing files are skipped. */
function copy(files: Iterable<string>, to: string): void {
  for (const file of files) {
    const [source, target] = [path.join(root, file), path.join(to, file)]
    const stat = fs.lstatSync(source, { throwIfNoEntry: false })
    if (!stat) continue
    fs.mkdirSync(path.dirname(target), { recursive: true })
    if (stat.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(source), target)
    else if (stat.isFile()) fs.copyFileSync(source, target, fs.constants.COPYFILE_FICLONE)
  }
}

/**
 * Starts a function of the build that `npm test` created.
 * @param page the function's page, such as `oauth/[[...path]]/route`
 * @param env the settings that an instance admin enters on the platform
 */
export async function startFunction(page: string, env: Record<string, string>): Promise<HostedFunction> {
  const dir = makeTemporaryData()
  copy(filesOf(page), dir)
  fs.copyFileSync(path.join(root, 'e2e/support/function-host.mjs'), path.join(dir, 'function-host.mjs'))
  // Copies the module that function-host.mjs loads first, as Next.js does in every function.
  const next = path.dirname(require.resolve('next/package.json'))
  fs.copyFileSync(
    path.join(next, 'dist/build/adapter/setup-node-env.external.js'),
    path.join(dir, 'node_modules/next/setup-node-env.js'),
  )
  const port = await testPort()
  const child = spawn(process.execPath, ['function-host.mjs', page], {
    cwd: dir,
    env: { ...cleanEnvironment(), NODE_ENV: 'production', VERCEL: '1', PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
  let asked = 0
  let frozenAfter = -1
  child.on('message', (message: { frozenAfter: number }) => {
    frozenAfter = message.frozenAfter
  })
  const frozen = async () => {
    while (frozenAfter < asked) {
      if (child.exitCode !== null) throw new Error(`The function ${page} has ended:\n${output}`)
      await sleep(50)
    }
  }
  await frozen()
  return {
    output: () => output,
    frozen,
    async invoke(address, init = {}) {
      asked++
      // Repeat the signal, because the function might be freezing at this moment.
      const thaw = setInterval(() => child.kill('SIGCONT'), 20)
      const headers = new Headers(init.headers)
      // Overwrites this header, as the platform does.
      headers.set('x-forwarded-for', platformAddress)
      try {
        const url = `http://127.0.0.1:${port}${address}`
        const answer = await fetch(url, { redirect: 'manual', ...init, headers })
        const body = await answer.arrayBuffer()
        const { status } = answer
        return new Response([204, 304].includes(status) ? null : body, { status, headers: answer.headers })
      } finally {
        clearInterval(thaw)
      }
    },
    async stop() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      removeTemporaryData(dir)
    },
  }
}
