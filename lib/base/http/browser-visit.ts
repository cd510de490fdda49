import type { IncomingMessage, ServerResponse } from 'node:http'

/** Someone opened an endpoint's address in a browser, which asks for a page before anything else. */
export const isBrowserVisit = (req: IncomingMessage): boolean =>
  (req.method === 'GET' || req.method === 'HEAD') && (req.headers.accept ?? '').includes('text/html')

/** Sends a browser to a page. */
export function writeRedirect(res: ServerResponse, path: string): void {
  res.writeHead(302, { location: path, vary: 'Accept', 'cache-control': 'no-store' })
  res.end()
}
