import { notFound, redirect } from 'next/navigation'
import { twoFactorPath } from '@/lib/base/http/safe-next'
import { requireSession } from '@/lib/edges/web/current-session'
import { owesTwoFactor } from '@/lib/policy/two-factor'

/**
 * Returns the session for an instance admin page. Users without a session are redirected to the sign-in page,
 * and users who are not instance admins get a 404 (ADR 0031). Instance admins whose session lacks required
 * two-factor authentication are redirected to the setup page.
 * @param path the path of the page, to return to after the sign-in
 */
export async function openInstanceAdmin(path: string) {
  const session = await requireSession(path)
  if (!session.actor.instanceAdmin) notFound()
  if (owesTwoFactor(session.actor, 'operating')) redirect(twoFactorPath(path))
  return session
}
