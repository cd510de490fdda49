import type { Db } from '@/lib/base/db/prisma'
import { isAppError } from '@/lib/base/errors/app-error'
import { seeOther } from '@/lib/base/http/answers'
import type { Visitor } from '@/lib/base/http/visitor'
import { runInBackground } from '@/lib/base/process/background'
import { signIns } from '@/lib/base/telemetry/metrics'
import { signInFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { type SessionToken, sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import {
  emailNewSignIn,
  type ProvenUser,
  type SignInMethod,
  startSession,
} from '@/lib/features/identity/sessions/start-session'
import {
  beginSecondStep,
  clearedSecondStepCookie,
  secondStepCookie,
  secondStepPath,
} from '@/lib/features/identity/two-factor/pending-sign-in'
import { twoFactorMethods } from '@/lib/features/identity/two-factor/two-factor-methods'
import type { SsoOrigin } from '@/lib/policy/required-sso'
import { clearedFlashCookie, type SubmittedForm } from '../forms/answer-form'

type Proven = ProvenUser & {
  methods: SignInMethod[]
  /** The SSO connection of the sign-in. */
  sso?: SsoOrigin | undefined
}

/** The result of a sign-in. */
export type SignInResult = {
  /** The path to which the browser goes now: the second step, or the page that the user requested. */
  location: string
  /** Set-Cookie values to send along. */
  cookies: string[]
  /** The new session, for its cookie. Undefined if a second step is required. */
  session: SessionToken | undefined
}

/**
 * Completes a sign-in with any method. A user who must use a second factor goes to the second step. Everyone else gets a
 * session, which replaces the browser's previous one, and an email if the sign-in came from a new place.
 * @param way the sign-in method, for the sign-in counter
 * @param proof the user and the methods that proved the user's identity; if they include `mfa`, no second step is required
 * @throws the errors of the proof, and AppError if something that the proof depends on has since changed
 */
export async function admitUser(
  { request, visitor, next }: Pick<SubmittedForm, 'request' | 'visitor' | 'next'>,
  way: SignInWay,
  proof: Promise<Proven>,
): Promise<SignInResult> {
  const { userId, owed, sid } = await countTry(
    way,
    proof.then((proven) => begin(request, visitor, proven)),
  )
  const tidy = ['/login', '/login/verify', '/signup'].map(clearedFlashCookie)
  countProof(way, owed !== undefined)
  if (owed !== undefined) {
    return { location: secondStepPath(next), cookies: [secondStepCookie(owed), ...tidy], session: undefined }
  }
  runInBackground('email about a sign-in', () => emailNewSignIn(sid))
  return { location: next, cookies: [clearedSecondStepCookie(), ...tidy], session: { sub: userId, sid } }
}

/** Does the same for every method except next-auth, which sets the session cookie itself. @throws like `admitUser` */
export async function completeSignIn(...args: Parameters<typeof admitUser>): Promise<Response> {
  const { location, cookies, session } = await admitUser(...args)
  return seeOther(location, session ? [await sessionCookie(session), ...cookies] : cookies)
}

/** Starts the second step or a session. @returns the cookie for the required second step, or the new session's ID */
async function begin(request: Request, visitor: Visitor, { userId, methods, sso, passwordHash }: Proven) {
  const proof = { sso, passwordHash }
  const owed = methods.includes('mfa') ? undefined : await beginSecondStep(userId, methods, proof)
  if (owed) return { userId, owed }
  const before = await signInFromCookies(request.headers.get('cookie') ?? undefined, visitor)
  const replaces = before?.actor.sessionId
  const owesStep = async (tx: Db) => !methods.includes('mfa') && (await twoFactorMethods(userId, tx)).enrolled
  const sid = await startSession(visitor, userId, methods, { replaces, owesStep, ...proof })
  return { userId, sid }
}

/** A way to authenticate. */
export type SignInWay =
  | 'password'
  | 'sign-up'
  | 'passkey'
  | 'provider'
  | 'second-step-code'
  | 'second-step-passkey'

/**
 * Returns the outcome that a failure counts as. A rate limit gives no information about the credentials, and
 * an outage is not a failed attempt.
 */
function outcomeOf(error: unknown): string {
  // The provider reports that the user canceled.
  if (error instanceof Error && error.name === 'AuthorizationResponseError') return 'refused'
  if (!isAppError(error) || error.code === 'SERVICE_UNAVAILABLE') return 'failed'
  return error.code === 'RATE_LIMITED' ? 'limited' : 'refused'
}

/** Counts a sign-in that failed before the user was known. */
export const countFailure = (method: SignInWay, outcome: 'refused' | 'limited' | 'failed'): void =>
  signIns.add({ method, outcome })

/** Counts a sign-in attempt if it fails. @returns the result of the attempt */
async function countTry<Proof>(method: SignInWay, attempt: Promise<Proof>): Promise<Proof> {
  try {
    return await attempt
  } catch (error) {
    signIns.add({ method, outcome: outcomeOf(error) })
    throw error
  }
}

/** Counts a successful authentication. @param owed whether a second step follows, which is counted separately */
const countProof = (method: SignInWay, owed: boolean): void =>
  signIns.add({ method, outcome: owed ? 'second-step-owed' : 'success' })
