import type { Db } from '@/lib/base/db/prisma'
import { isAppError } from '@/lib/base/errors/app-error'
import { seeOther } from '@/lib/base/http/answers'
import type { Visitor } from '@/lib/base/http/visitor'
import { runInBackground } from '@/lib/base/process/background'
import { signIns } from '@/lib/base/telemetry/metrics'
import { signInFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import {
  type ProvenPerson,
  type SignInMethod,
  startSession,
  tellOfNewPlace,
} from '@/lib/features/identity/sessions/start-session'
import {
  beginSecondStep,
  clearedSecondStepCookie,
  secondStepCookie,
  secondStepPath,
} from '@/lib/features/identity/two-factor/pending-sign-in'
import { secondFactors } from '@/lib/features/identity/two-factor/second-factors'
import type { CompanyWord } from '@/lib/policy/required-sso'
import { clearedFlashCookie, type SubmittedForm } from '../forms/answer-form'

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

/** A way to prove who one is. */
export type SignInWay =
  | 'password'
  | 'sign-up'
  | 'passkey'
  | 'provider'
  | 'second-step-code'
  | 'second-step-passkey'

/** What failed is counted as: a limit is no proof of anything, and what is away or broken is nobody's try. */
function outcomeOf(error: unknown): string {
  // The provider's word for somebody who turned back there.
  if (error instanceof Error && error.name === 'AuthorizationResponseError') return 'refused'
  if (!isAppError(error) || error.code === 'SERVICE_UNAVAILABLE') return 'failed'
  return error.code === 'RATE_LIMITED' ? 'limited' : 'refused'
}

/** Counts a try to sign in that fails. @returns what it comes to, unchanged */
async function countTry<Proof>(method: SignInWay, attempt: Promise<Proof>): Promise<Proof> {
  try {
    return await attempt
  } catch (error) {
    signIns.add({ method, outcome: outcomeOf(error) })
    throw error
  }
}

/** Counts a proof that was good. @param owed whether a second step is to follow, which is counted on its own */
const countProof = (method: SignInWay, owed: boolean): void =>
  signIns.add({ method, outcome: owed ? 'second-step-owed' : 'success' })
