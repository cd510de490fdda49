import { notFound, redirect } from 'next/navigation'
import { twoFactorPath } from '@/lib/base/http/safe-next'
import { requireSession } from '@/lib/edges/web/current-session'
import { owesTwoFactor } from '@/lib/policy/two-factor'

/**
 * Returns the session of an instance admin page. Other users get a 404. An instance admin who must set up
 * two-factor authentication is redirected to that page. See ADR 0031.
 * @param path the path of the page, to return to after the sign-in
 */
export async function openInstanceAdmin(path: string) {
  const session = await requireSession(path)
  if (!session.actor.instanceAdmin) notFound()
  if (owesTwoFactor(session.actor, 'operating')) redirect(twoFactorPath(path))
  return session
}
