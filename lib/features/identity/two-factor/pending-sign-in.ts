import { credentialKind, hashCredential, mintCredential } from '@/lib/base/credentials/tokens'
import { databaseNow } from '@/lib/base/db/clock'
import { type Db, inTransaction, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { secureCookieName, setCookie } from '@/lib/base/http/cookies'
import { cookieValue } from '../sessions/session-cookie'
import { holdProof, type Proof, type ProvenPerson, type SignInMethod } from '../sessions/start-session'
import { twoFactorMethods } from './two-factor-methods'

/** How long a person has for the second step. */
const pendingSeconds = 600

/**
 * Asks, once the first factor was right, whether a second step is owed.
 * @param proof as of `startSession`
 * @returns the value of a cookie that stands for "first factor done" and is good for the second step alone; undefined
 *   when the sign-in is complete
 * @throws AppError as `holdProof`, for what happened since
 */
export async function beginSecondStep(
  userId: string,
  methods: SignInMethod[],
  proof: Proof = {},
): Promise<string | undefined> {
  if (!(await twoFactorMethods(userId)).enrolled) return undefined
  const token = mintCredential('pendingSignIn')
  await inTransaction(async (tx) => {
    await holdProof(tx, userId, proof)
    const now = databaseNow()
    await tx.pendingSignIn.deleteMany({ where: { expiresAt: { lt: new Date(now) } } })
    await tx.pendingSignIn.create({
      data: {
        hash: Uint8Array.from(hashCredential(token)),
        userId,
        methods,
        ...proof.sso,
        expiresAt: new Date(now + pendingSeconds * 1000),
      },
    })
  })
  return token
}

const hashOf = (token: string | undefined) =>
  token && credentialKind(token) === 'pendingSignIn' ? Uint8Array.from(hashCredential(token)) : undefined

/** The sign-in that a cookie stands for. @returns undefined when it is finished, expired, forged or absent */
export async function findPendingSignIn(token: string | undefined) {
  const hash = hashOf(token)
  if (!hash) return undefined
  const found = await prisma().pendingSignIn.findUnique({
    where: { hash, expiresAt: { gt: new Date(databaseNow()) } },
    select: {
      userId: true,
      methods: true,
      ssoWorkspaceId: true,
      ssoIssuer: true,
      user: { select: { email: true, suspendedAt: true } },
    },
  })
  return found && !found.user.suspendedAt ? found : undefined
}

/** @throws AppError UNAUTHENTICATED when the sign-in has to begin again */
export async function requirePendingSignIn(token: string | undefined) {
  const found = await findPendingSignIn(token)
  if (!found) throw new AppError('UNAUTHENTICATED', 'This took too long. Sign in again.')
  return found
}

/** What a sign-in has come to, for the session. */
export type CompletedSignIn = ProvenPerson & Pick<Proof, 'sso'> & { methods: SignInMethod[] }

/**
 * Completes a sign-in, once: of two second steps at the same moment one succeeds.
 * @param method what the second step was
 * @returns the person, every method, its SSO connection, and with which password
 * @throws AppError UNAUTHENTICATED when it is complete already
 */
export async function completeSecondStep(
  tx: Db,
  token: string | undefined,
  pending: { userId: string; methods: string[]; ssoWorkspaceId: string | null; ssoIssuer: string | null },
  method: SignInMethod,
): Promise<CompletedSignIn> {
  const { count } = await tx.pendingSignIn.deleteMany({ where: { hash: hashOf(token) ?? new Uint8Array() } })
  if (count === 0) throw new AppError('UNAUTHENTICATED', 'This sign-in has expired. Sign in again.')
  const { userId, methods, ssoWorkspaceId, ssoIssuer } = pending
  // Whoever changes it takes away what is pending: what was there until now began with the one that is read now.
  const person = await tx.user.findUnique({ where: { id: userId }, select: { passwordHash: true } })
  return {
    userId,
    passwordHash: person?.passwordHash ?? null,
    methods: [...(methods as SignInMethod[]), method, 'mfa'],
    // A sign-in through SSO stays one if its issuer is missing. No connection matches it then.
    sso: ssoWorkspaceId === null ? undefined : { ssoWorkspaceId, ssoIssuer: ssoIssuer ?? '' },
  }
}

/** Carries a sign-in between its two steps. It is no session: nothing but the second step reads it. */
export const secondStepCookieName = (): string => secureCookieName('lk-second-step')

const path = '/login'

/** The Set-Cookie value that hands a pending sign-in to the browser. */
export const secondStepCookie = (token: string): string =>
  setCookie(secondStepCookieName(), token, path, pendingSeconds)

/** The Set-Cookie value that takes it back. */
export const clearedSecondStepCookie = (): string => setCookie(secondStepCookieName(), '', path, 0)

/** The pending sign-in that a request carries. */
export const secondStepToken = (request: Request): string | undefined =>
  cookieValue(request.headers.get('cookie') ?? undefined, secondStepCookieName())

/** The page of the second step, with the way onward kept. */
export const secondStepPath = (next: string): string =>
  next === '/' ? '/login/verify' : `/login/verify?${new URLSearchParams({ next })}`
