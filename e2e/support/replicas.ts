import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, request } from 'node:http'
import path from 'node:path'
import { testPort } from '@/lib/testing/free-port'
import { cleanEnvironment } from '@/lib/testing/test-environment'
import { packedFolder } from './environment'
import { makeOwnDatabase } from './own-database'

export type Replicas = {
  /**
   * The public URL. Each request goes to the replica that did not serve the previous request. Requests for
   * static files do not count as previous requests.
   */
  url: string
  /** The URL at which each replica can be reached directly. */
  each: [string, string]
  /**
   * The number of requests that each replica served through the public URL. Requests for static files are not
   * counted.
   */
  answered: [number, number]
  close: () => Promise<void>
}

/** Starts two packed servers on one database, behind a balancer that alternates between them. */
export async function startReplicas(): Promise<Replicas> {
  const database = await makeOwnDatabase()
  const [port, ...ports] = [await testPort(), await testPort(), await testPort()]
  const url = `http://localhost:${port}`
  const started: ChildProcess[] = []
  for (const own of ports) started.push(await startReplica(own, url, database))
  const answered: [number, number] = [0, 0]
  const balancer = await startBalancer(port, ports, answered)
  return {
    url,
    each: [`http://localhost:${ports[0]}`, `http://localhost:${ports[1]}`],
    answered,
    close: async () => {
      balancer.closeAllConnections()
      balancer.close()
      await Promise.all(started.map(stop))
    },
  }
}

/**
 * Starts the server from the packed folder, as a container would.
 * @param settings in addition to the settings below
 * @returns the process, after the server listens; `output` returns everything the process has written so far
 * @throws Error if the process ends before it listens, or if a library has written a warning to the console
 */
export async function startReplica(
  port: number,
  baseUrl: string,
  databaseUrl: string,
  settings: Record<string, string> = {},
): Promise<ChildProcess & { output: () => string }> {
  const packed = await packedFolder()
  const child = spawn(process.execPath, [path.join(packed, 'dist/server.js')], {
    cwd: packed,
    env: {
      ...cleanEnvironment(),
      PORT: String(port),
      BASE_URL: baseUrl,
      DATABASE_URL: databaseUrl,
      SECRET_KEY: 'shared-by-all-replicas-shared-by-all-replicas',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let listens = false
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk
      // Search only until the server listens, because each search reads the whole output.
      if (listens || !output.includes('listens on port')) return
      listens = true
      // Reject if a library wrote a warning to the console. For example, oidc-provider must not warn about a
      // Node.js version that we support (ADR 0004).
      if (/"level":"(?!debug)[^\n]*wrote to the console/.test(output))
        reject(new Error(`A replica logged a warning:\n${output}`))
      else resolve()
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('exit', () => reject(new Error(`A replica did not start:\n${output}`)))
  })
  return Object.assign(child, { output: () => output })
}

const stop = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })

/**
 * Returns whether a URL refers to a static file. The balancer does not switch replicas after a request for a
 * static file. Otherwise, two consecutive steps of a test could use the same replica.
 */
const isStatic = (url: string) => url.startsWith('/_next/')

async function startBalancer(port: number, ports: number[], answered: [number, number]) {
  let turn = 0
  const balancer = createServer((req, res) => {
    const index = turn as 0 | 1
    if (!isStatic(req.url ?? '')) {
      turn = 1 - turn
      answered[index]++
    }
    const forwarded = request(
      { host: 'localhost', port: ports[index], path: req.url, method: req.method, headers: req.headers },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(res)
      },
    )
    forwarded.on('error', () => res.destroy())
    req.pipe(forwarded)
  })
  await new Promise<void>((resolve) => balancer.listen(port, 'localhost', resolve))
  return balancer
}
