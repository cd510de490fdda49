/**
 * Next calls this once in each process before it serves requests. `next build` serves none, and the edge
 * runtime has no sockets and no database.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.NEXT_PHASE === 'phase-production-build') return
  const { loadEngine } = await import('@/lib/edges/oauth/engine/load-engine')
  await loadEngine()
  const { prepareNextStart } = await import('@/lib/server/prepare-next-start')
  await prepareNextStart(() => import('@/prisma/seed'))
}

/** Next calls this for every unexpected error of a page, a route, or a server action, before it responds. */
export async function onRequestError(error: unknown): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { notePageError } = await import('@/lib/server/answer-pages')
  notePageError(error)
}
