import { log } from '@/lib/base/log/log'
import { loadEngine } from '@/lib/edges/oauth/engine/load-engine'
import type { RunningServer } from '@/lib/server/start-server'
import { readDocs } from './docs/markdown/read-docs'

/** Starts the product's own server (lib/server/start-server). `answerDoor` draws the auth pages and the docs. */
export async function startServer(dir: string): Promise<RunningServer> {
  // Before anything below imports it: a static import here would.
  await loadEngine()
  const { startServer: start } = await import('@/lib/server/start-server')
  const { answerDoor } = await import('./door/answer-door')
  const running = await start(dir, answerDoor, readDocs)
  // Not awaited: the server is ready without it, and a search that comes first waits for the same index.
  prepareSearch().catch((error) => log.warn('the docs are not searchable yet', { error }))
  return running
}

async function prepareSearch(): Promise<void> {
  const { indexDocs } = await import('./docs/search/search-docs')
  log.debug('the docs are searchable', { entries: await indexDocs() })
}
