import { notFound, redirect } from 'next/navigation'
import { twoFactorPath } from '@/lib/base/http/safe-next'
import { requireSession } from '@/lib/edges/web/current-session'
import { owesTwoFactor } from '@/lib/policy/two-factor'

/**
 * The session of a page for the instance admin; for anybody else there is no such page. Who owes the second factor that is demanded of
 * instance admins is led to set it up.
 * See ADR 0031.
 * @param path the page's own, for the way back after signing in
 */
export async function openInstanceAdmin(path: string) {
  const session = await requireSession(path)
  if (!session.actor.instanceAdmin) notFound()
  if (owesTwoFactor(session.actor, 'operating')) redirect(twoFactorPath(path))
  return session
}
