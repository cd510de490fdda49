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
  /** The SSO connection that the sign-in used. Undefined if it used none. */
  sso?: SsoOrigin | undefined
}

/** The result of a sign-in. */
export type SignInResult = {
  /** The path to redirect to: the second step, or the page that the user requested. */
  location: string
  /** The Set-Cookie values to send with the redirect. */
  cookies: string[]
  /** The new session, for its cookie. Undefined if a second step is required. */
  session: SessionToken | undefined
}

/**
 * Completes a sign-in with any method, and counts the attempt. If the user has a two-factor method but has
 * not used two factors, the second step starts. Otherwise, a session starts, which replaces the browser's
 * previous session. The user then gets an email if the sign-in came from a new place, unless it is the user's
 * first sign-in.
 * @param way the sign-in method, for the sign-in counter
 * @param proof the user and the methods that proved the user's identity; if they include `mfa`, no second
 * step is required
 * @throws the errors of the proof and of `lockWithProof`
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

/**
 * Calls `admitUser` and returns the redirect with all cookies, including the session cookie if a session
 * started. Do not use this function for sign-ins through next-auth, which sets the session cookie itself.
 * @throws the errors of `admitUser`
 */
export async function completeSignIn(...args: Parameters<typeof admitUser>): Promise<Response> {
  const { location, cookies, session } = await admitUser(...args)
  return seeOther(location, session ? [await sessionCookie(session), ...cookies] : cookies)
}

/**
 * Starts the second step if one is required, and otherwise a session.
 * @returns the user's ID, and either the value of the second-step cookie (`owed`) or the new session's ID
 * (`sid`)
 * @throws the errors of `lockWithProof`
 */
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

/** A sign-in method, as a label of the sign-in counter. */
export type SignInWay =
  | 'password'
  | 'sign-up'
  | 'passkey'
  | 'provider'
  | 'second-step-code'
  | 'second-step-passkey'

/**
 * Returns the outcome under which a failure is counted. Rate-limited attempts have their own outcome, because
 * the credentials were not checked. Outages and unexpected errors are counted as `failed`, and all other
 * errors as `refused`.
 */
function outcomeOf(error: unknown): string {
  // `access_denied` means that the user canceled at the provider. The provider's other error responses are
  // counted as `failed`.
  if (error instanceof Error && 'error' in error && error.error === 'access_denied') return 'refused'
  if (!isAppError(error) || error.code === 'SERVICE_UNAVAILABLE') return 'failed'
  return error.code === 'RATE_LIMITED' ? 'limited' : 'refused'
}

/** Counts a sign-in that failed before `admitUser` was called. */
export const countFailure = (method: SignInWay, outcome: 'refused' | 'limited' | 'failed'): void =>
  signIns.add({ method, outcome })

/**
 * Waits for a sign-in attempt and counts it if it fails. @returns the attempt's result @throws the attempt's
 * error
 */
async function countTry<Proof>(method: SignInWay, attempt: Promise<Proof>): Promise<Proof> {
  try {
    return await attempt
  } catch (error) {
    signIns.add({ method, outcome: outcomeOf(error) })
    throw error
  }
}

/**
 * Counts a sign-in attempt that succeeded.
 * @param owed whether the user must still complete the second step, which is counted as another attempt
 */
const countProof = (method: SignInWay, owed: boolean): void =>
  signIns.add({ method, outcome: owed ? 'second-step-owed' : 'success' })
