import type { Db } from '@/lib/base/db/prisma'
import { seeOther } from '@/lib/base/http/answers'
import type { Visitor } from '@/lib/base/http/visitor'
import { runInBackground } from '@/lib/base/process/background'
import { signInFromCookies } from '@/lib/features/identity/sessions/browser-session'
import type { ProvenPerson } from '@/lib/features/identity/sessions/hold-proof'
import { tellOfNewPlace } from '@/lib/features/identity/sessions/new-place'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { type SignInMethod, startSession } from '@/lib/features/identity/sessions/start-session'
import {
  beginSecondStep,
  clearedSecondStepCookie,
  secondStepCookie,
  secondStepPath,
} from '@/lib/features/identity/two-factor/pending-sign-in'
import { secondFactors } from '@/lib/features/identity/two-factor/second-factors'
import type { CompanyWord } from '@/lib/policy/required-sso'
import type { SubmittedForm } from '../forms/answer-form'
import { clearedFlashCookie } from '../forms/form-flash'
import { countProof, countTry, type SignInWay } from './count-sign-in'

type Proven = ProvenPerson & {
  methods: SignInMethod[]
  /** Of the company's identity provider that says so. */
  word?: CompanyWord | undefined
}

/**
 * Lets somebody in who proves who they are: to the second step where they owe one, else with a session in place of the one
 * this browser held, and on to `next`. Whoever signs in from somewhere new is told by mail.
 * @param way what is tried, for the count of sign-ins
 * @param proof who they are, and how they proved it; with `mfa` among the methods no second step is owed
 * @throws what the proof throws, and AppError as `holdProof` for what happened meanwhile
 */
export async function completeSignIn(
  { request, visitor, next }: Pick<SubmittedForm, 'request' | 'visitor' | 'next'>,
  way: SignInWay,
  proof: Promise<Proven>,
): Promise<Response> {
  const { userId, owed, sid } = await countTry(
    way,
    proof.then((proven) => begin(request, visitor, proven)),
  )
  const tidy = ['/login', '/login/verify', '/signup'].map(clearedFlashCookie)
  countProof(way, owed !== undefined)
  if (owed !== undefined) return seeOther(secondStepPath(next), [secondStepCookie(owed), ...tidy])
  runInBackground('word of a sign-in', () => tellOfNewPlace(sid))
  return seeOther(next, [sessionCookie({ sub: userId, sid }), clearedSecondStepCookie(), ...tidy])
}

/** @returns the cookie for the second step that is owed, else the new session's id */
async function begin(request: Request, visitor: Visitor, { userId, methods, word, passwordHash }: Proven) {
  const proof = { word, passwordHash }
  const owed = methods.includes('mfa') ? undefined : await beginSecondStep(userId, methods, proof)
  if (owed) return { userId, owed }
  const before = await signInFromCookies(request.headers.get('cookie') ?? undefined, visitor)
  const replaces = before?.actor.sessionId
  const owesStep = async (tx: Db) => !methods.includes('mfa') && (await secondFactors(userId, tx)).enrolled
  const sid = await startSession(visitor, userId, methods, { replaces, owesStep, ...proof })
  return { userId, sid }
}
