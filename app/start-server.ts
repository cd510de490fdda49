import { log } from '@/lib/base/log/log'
import { loadEngine } from '@/lib/edges/oauth/engine/load-engine'
import type { RunningServer } from '@/lib/server/start-server'
import { readDocs } from './docs/markdown/read-docs'

/**
 * Starts the product's own server (lib/server/start-server), which renders the auth pages and the docs with
 * `answerAuthPages`. Also starts to build the search index of the docs.
 */
export async function startServer(dir: string): Promise<RunningServer> {
  // On Node 20, `loadEngine` loads oidc-provider without its warning. Call `loadEngine` before the imports
  // below, because they also load oidc-provider.
  await loadEngine()
  const { startServer: start } = await import('@/lib/server/start-server')
  const { answerAuthPages } = await import('./auth-pages/answer')
  const running = await start(dir, answerAuthPages, readDocs)
  // The server does not wait for the search index. A search waits until the index is complete.
  prepareSearch().catch((error) => log.warn('the docs are not searchable yet', { error }))
  return running
}

async function prepareSearch(): Promise<void> {
  const { indexDocs } = await import('./docs/search/search-docs')
  log.debug('the docs are searchable', { entries: await indexDocs() })
}
