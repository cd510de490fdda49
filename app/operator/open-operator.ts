import { notFound } from 'next/navigation'
import { requireSession } from '@/lib/edges/web/session/current-session'

/**
 * The session of a page for the operator; for anybody else there is no such page.
 * See decision 044.
 * @param path the page's own, for the way back after signing in
 */
export async function openOperator(path: string) {
  const session = await requireSession(path)
  if (!session.actor.instanceAdmin) notFound()
  return session
}
