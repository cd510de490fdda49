import { credentialKind, hashCredential, mintCredential } from '@/lib/base/credentials/tokens'
import { databaseNow } from '@/lib/base/db/clock'
import { type Db, inTransaction, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { cookieName, setCookie } from '@/lib/base/http/visitor'
import { cookieValue } from '../sessions/session-cookie'
import { lockWithProof, type Proof, type ProvenUser, type SignInMethod } from '../sessions/start-session'
import { twoFactorMethods } from './two-factor-methods'

/** The time limit for the second step, in seconds. */
const pendingSeconds = 600

/**
 * Starts the second step of a sign-in, if the user has a two-factor method. In this case, also deletes all
 * expired pending sign-ins. Call this function after the first factor succeeded.
 * @param methods the methods of the first step
 * @param proof how the user proved their identity, as in `startSession`
 * @returns the value of a cookie that is valid only for the second step, or undefined if no second step is
 * required
 * @throws the errors of `twoFactorMethods` and `lockWithProof`
 */
export async function beginSecondStep(
  userId: string,
  methods: SignInMethod[],
  proof: Proof = {},
): Promise<string | undefined> {
  if (!(await twoFactorMethods(userId)).enrolled) return undefined
  const token = mintCredential('pendingSignIn')
  await inTransaction(async (tx) => {
    await lockWithProof(tx, userId, proof)
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

/**
 * Returns the pending sign-in that a cookie identifies.
 * @returns undefined if the cookie is absent or forged, the sign-in is complete, canceled, or expired, or the
 * user is suspended
 */
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

/**
 * Returns the pending sign-in that a cookie identifies.
 * @throws AppError UNAUTHENTICATED if the user must start the sign-in again
 */
export async function requirePendingSignIn(token: string | undefined) {
  const found = await findPendingSignIn(token)
  if (!found) throw new AppError('UNAUTHENTICATED', 'This sign-in has expired. Sign in again.')
  return found
}

/** The data of a completed sign-in, with which a session can be started. */
export type CompletedSignIn = ProvenUser & Pick<Proof, 'sso'> & { methods: SignInMethod[] }

/**
 * Completes a sign-in and deletes its pending sign-in. Of two concurrent second steps of the same sign-in,
 * only one succeeds.
 * @param method the method of the second step
 * @returns the user, the methods of both steps with `mfa`, the SSO connection (undefined if none was used),
 * and the password hash
 * @throws AppError UNAUTHENTICATED if the pending sign-in no longer exists, for example because it is already
 * complete
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
  // Read the hash now, because the first step did not store it. A password change deletes pending sign-ins,
  // so this is still the hash of the first step.
  const user = await tx.user.findUnique({ where: { id: userId }, select: { passwordHash: true } })
  return {
    userId,
    passwordHash: user?.passwordHash ?? null,
    methods: [...(methods as SignInMethod[]), method, 'mfa'],
    // Replace an unknown issuer with an empty text. The sign-in is then still an SSO sign-in, but it matches
    // no connection.
    sso: ssoWorkspaceId === null ? undefined : { ssoWorkspaceId, ssoIssuer: ssoIssuer ?? '' },
  }
}

/**
 * Returns the name of the cookie that identifies a pending sign-in. The cookie does not sign the user in,
 * because only the second step accepts it. It is for all paths, so that no other host of the same domain can
 * set it.
 */
export const secondStepCookieName = (): string => cookieName('second-step')

/** Returns the Set-Cookie value for a pending sign-in. */
export const secondStepCookie = (token: string): string =>
  setCookie(secondStepCookieName(), token, '/', pendingSeconds)

/** Returns the Set-Cookie value that deletes the cookie of a pending sign-in. */
export const clearedSecondStepCookie = (): string => setCookie(secondStepCookieName(), '', '/', 0)

/**
 * Returns the value of the pending sign-in's cookie in an HTTP request, or undefined if the cookie is absent.
 */
export const secondStepToken = (request: Request): string | undefined =>
  cookieValue(request.headers.get('cookie') ?? undefined, secondStepCookieName())

/**
 * Returns the path of the second step, with the path to continue to after the sign-in as a parameter. The
 * parameter is omitted for `/`.
 */
export const secondStepPath = (next: string): string =>
  next === '/' ? '/login/verify' : `/login/verify?${new URLSearchParams({ next })}`
