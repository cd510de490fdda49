import { type SignInMethod, startSession } from '@/lib/sessions/start-session'
import { beginSecondStep } from '@/lib/two-factor/pending-sign-in'
import type { PlainForm } from './answer-plain-form'
import { clearedFlashCookie } from './form-flash'
import { clearedSecondStepCookie, secondStepCookie, secondStepPath } from './second-step-cookie'
import { seeOther } from './see-other'
import { sessionFromCookies } from './session'
import { sessionCookie } from './session-cookie'

/**
 * Lets somebody in who has just proved who they are: to the second step where they owe one, else with a session in place of
 * the one this browser held, and on to `next`.
 * @param methods how they proved it; with `mfa` among them no second step is owed
 */
export async function admitPerson(
  { request, visitor, next }: Pick<PlainForm, 'request' | 'visitor' | 'next'>,
  { userId, methods }: { userId: string; methods: SignInMethod[] },
): Promise<Response> {
  const tidy = ['/login', '/login/verify', '/signup'].map(clearedFlashCookie)
  const owed = methods.includes('mfa') ? undefined : await beginSecondStep(userId, methods)
  if (owed) return seeOther(secondStepPath(next), [secondStepCookie(owed), ...tidy])
  const before = await sessionFromCookies(request.headers.get('cookie') ?? undefined, visitor)
  const sid = await startSession(visitor, userId, methods, before?.actor.sessionId)
  return seeOther(next, [await sessionCookie({ sub: userId, sid }), clearedSecondStepCookie(), ...tidy])
}
