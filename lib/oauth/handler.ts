import type { IncomingMessage, ServerResponse } from 'node:http'

/** Placeholder until lib/oauth is there. */
export function handleOAuth(_req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(503).end()
}
