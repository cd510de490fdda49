import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type HostedFunction, startFunction } from './functions'

export type FunctionPlatform = {
  /** The public URL for users and apps. */
  url: string
  /** The functions, by page. */
  functions: Map<string, HostedFunction>
  /** Resolves when every function is frozen. */
  frozen: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Returns the page whose function responds to a path. For example, returns `interaction/[uid]/decision/route`
 * for `/interaction/1/decision`. Returns undefined if no page matches.
 */
function pageOf(path: string, pages: readonly string[]): string | undefined {
  const pattern = (page: string) =>
    page
      .replace(/\/(page|route)$/, '')
      .replace(/\([^)]+\)\//g, '')
      .replace(/\/\[\[\.\.\.\w+\]\]/g, '(/.*)?')
      .replace(/\[\w+\]/g, '[^/]+')
  return pages.find((page) => new RegExp(`^/${pattern(page)}$`).test(path))
}

/**
 * Starts functions of the build behind one URL, as a serverless platform does. Each function runs in its own
 * folder and process, which is frozen after it has responded. A path without a function gets a 404 response.
 * @param pages the functions' pages, such as `(auth)/login/page`
 * @param env settings of the product in addition to BASE_URL
 */
export async function startFunctions(
  pages: readonly string[],
  env: Record<string, string>,
): Promise<FunctionPlatform> {
  const functions = new Map<string, HostedFunction>()
  const edge = createServer(async (req, res) => {
    const page = pageOf(new URL(req.url ?? '/', 'http://edge').pathname, pages)
    const own = page && functions.get(page)
    if (!page || !own) return res.writeHead(404).end('No function has this address.')
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const { connection: _, host: __, 'content-length': ___, ...headers } = req.headers
    const answer = await own.invoke(String(req.url), {
      method: req.method,
      headers: headers as Record<string, string>,
      ...(body.length > 0 ? { body } : {}),
    })
    res.statusCode = answer.status
    for (const [name, value] of answer.headers) if (name !== 'set-cookie') res.setHeader(name, value)
    res.setHeader('set-cookie', answer.headers.getSetCookie())
    res.removeHeader('content-encoding')
    res.removeHeader('transfer-encoding')
    res.end(Buffer.from(await answer.arrayBuffer()))
  })
  // Keep idle connections open. Otherwise, the platform could close a connection while a test sends a request
  // on it.
  edge.keepAliveTimeout = 0
  await new Promise<void>((resolve) => edge.listen(0, 'localhost', resolve))
  const url = `http://localhost:${(edge.address() as AddressInfo).port}`
  const close = async () => {
    edge.closeAllConnections()
    edge.close()
    await Promise.all([...functions.values()].map((each) => each.stop()))
  }
  try {
    await Promise.all(
      pages.map(async (page) => functions.set(page, await startFunction(page, { BASE_URL: url, ...env }))),
    )
  } catch (error) {
    await close()
    throw error
  }
  const frozen = async () => {
    await Promise.all([...functions.values()].map((each) => each.frozen()))
  }
  return { url, functions, frozen, close }
}
