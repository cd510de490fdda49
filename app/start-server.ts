import { loadEngine } from '@/lib/edges/oauth/engine/load-engine'
import type { RunningServer } from '@/lib/server/start-server'
import { readDocs } from './docs/markdown/read-docs'

/** The product's own server (lib/server/start-server), with the pages at the door drawn by answerDoor. */
export async function startServer(dir: string): Promise<RunningServer> {
  // Before anything below imports it: a static import here would.
  await loadEngine()
  const { startServer: start } = await import('@/lib/server/start-server')
  const { answerDoor } = await import('./door/answer-door')
  return start(dir, answerDoor, readDocs)
}
