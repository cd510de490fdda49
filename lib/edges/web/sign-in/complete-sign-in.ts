import { AppError } from '@/lib/base/errors/app-error'
import { seeOther } from '@/lib/base/http/see-other'
import { runInBackground } from '@/lib/base/process/background'
import {
  clearedSecondStepCookie,
  secondStepCookie,
  secondStepPath,
} from '@/lib/features/identity/browser-session/second-step-cookie'
import { signInFromCookies } from '@/lib/features/identity/browser-session/session'
import { sessionCookie } from '@/lib/features/identity/browser-session/session-cookie'
import { type SignInMethod, startSession } from '@/lib/features/identity/sessions/start-session'
import { tellOfNewPlace } from '@/lib/features/identity/sessions/tell-of-new-place'
import { beginSecondStep } from '@/lib/features/identity/two-factor/pending-sign-in'
import type { CompanyWord } from '@/lib/policy/company-word'
import { onlyDoorOf } from '@/lib/policy/only-door'
import type { SubmittedForm } from '../forms/answer-form'
import { clearedFlashCookie } from '../forms/form-flash'
import { countProof, countTry, type SignInWay } from './count-sign-in'

type Proof = {
  userId: string
  methods: SignInMethod[]
  /** Of the company's identity provider that says so. */
  word?: CompanyWord | undefined
}

/** The first step was asked which door it came by. */
const isSecondStep = (way: SignInWay): boolean => way.startsWith('second-step')

/**
 * Requires that who has to sign in through their company's provider did.
 * @throws AppError FORBIDDEN
 */
async function requireOwnDoor(proof: Proof): Promise<Proof> {
  const only = await onlyDoorOf(proof.userId)
  if (only === undefined || only === proof.word?.companyId) return proof
  throw new AppError('FORBIDDEN', 'Your company has you sign in through its own service.')
}

/**
 * Lets somebody in who proves who they are: to the second step where they owe one, else with a session in place of the one
 * this browser held, and on to `next`. Whoever signs in from somewhere new is told by mail.
 * @param way what is tried, for the count of sign-ins
 * @param proof who they are, and how they proved it; with `mfa` among the methods no second step is owed
 * @throws what the proof throws
 */
export async function completeSignIn(
  { request, visitor, next }: Pick<SubmittedForm, 'request' | 'visitor' | 'next'>,
  way: SignInWay,
  proof: Promise<Proof>,
): Promise<Response> {
  const { userId, methods, word } = await countTry(
    way,
    isSecondStep(way) ? proof : proof.then(requireOwnDoor),
  )
  const tidy = ['/login', '/login/verify', '/signup'].map(clearedFlashCookie)
  const owed = methods.includes('mfa') ? undefined : await beginSecondStep(userId, methods, word)
  countProof(way, owed !== undefined)
  if (owed) return seeOther(secondStepPath(next), [secondStepCookie(owed), ...tidy])
  const before = await signInFromCookies(request.headers.get('cookie') ?? undefined, visitor)
  const sid = await startSession(visitor, userId, methods, { replaces: before?.actor.sessionId, word })
  runInBackground('word of a sign-in', () => tellOfNewPlace(sid))
  return seeOther(next, [sessionCookie({ sub: userId, sid }), clearedSecondStepCookie(), ...tidy])
}
