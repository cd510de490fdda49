/**
 * Runs `loadEngine` and `prepareNextStart`. Next calls this function once in each process before the process
 * serves requests. The function does nothing during `next build`, which serves no requests, and in the edge
 * runtime, which has no sockets and no database.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.NEXT_PHASE === 'phase-production-build') return
  const { loadEngine } = await import('@/lib/edges/oauth/engine/load-engine')
  await loadEngine()
  const { prepareNextStart } = await import('@/lib/server/prepare-next-start')
  await prepareNextStart(() => import('@/prisma/seed'))
}

/**
 * Logs an unexpected error from a page, a route, or a server action. Next calls this function before Next
 * responds.
 */
export async function onRequestError(error: unknown): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { notePageError } = await import('@/lib/server/answer-pages')
  notePageError(error)
}
