import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import { type AttemptLimit, countAttempt, resetAttempts } from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import type { Visitor } from '@/lib/base/http/visitor'
import { log } from '@/lib/base/log/log'
import type { ProvenUser, SignInMethod } from '../sessions/start-session'
import { completeSecondStep, requirePendingSignIn } from '../two-factor/pending-sign-in'
import { secondStepLimit } from '../two-factor/verify-code'
import {
  type ChallengePurpose,
  relyingParty,
  spendChallenge,
  storeChallenge,
  usePasskeyInput,
} from './challenges'

const perAddress: AttemptLimit = {
  name: 'passkey-address',
  points: 60,
  seconds: 60,
  message: 'Too many sign-in attempts from your IP address. Wait a moment, then try again.',
}

/**
 * The limit on requests for options from one IP address. It is higher than the limit on sign-ins, because
 * every visit to the sign-in page requests options. A high limit is safe, because the options are not secret
 * and prove nothing.
 */
const optionsPerAddress: AttemptLimit = {
  ...perAddress,
  name: 'passkey-options-address',
  points: 600,
}

/**
 * Returns the options for signing in with only a passkey, which identifies the user. Stores the challenge of
 * the options.
 * @throws AppError RATE_LIMITED
 */
export async function passkeyRequestOptions(visitor: Visitor) {
  if (visitor.ip) await countAttempt(optionsPerAddress, visitor.ip)
  const { rpID } = relyingParty()
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' })
  await storeChallenge(options.challenge, 'sign-in')
  return options
}

/**
 * Returns the options for the second step of a pending sign-in with one of the user's passkeys. Stores the
 * challenge of the options.
 * @throws AppError UNAUTHENTICATED (the user must start the sign-in again)
 */
export async function secondStepOptions(token: string | undefined) {
  const { userId } = await requirePendingSignIn(token)
  const allowCredentials = await prisma().passkey.findMany({
    where: { userId },
    select: { id: true, transports: true },
  })
  const { rpID } = relyingParty()
  const options = await generateAuthenticationOptions({
    rpID,
    allowCredentials,
    userVerification: 'preferred',
  })
  await storeChallenge(options.challenge, 'second-step', userId)
  return options
}

/**
 * Verifies a sign-in with only a passkey. The caller starts the session. The device, and the fingerprint or
 * code that unlocks it, count as two factors.
 * @param input `response`, the browser's response as JSON
 * @throws AppError BAD_USER_INPUT, UNAUTHENTICATED, RATE_LIMITED
 */
export async function signInWithPasskey(
  visitor: Visitor,
  input: unknown,
): Promise<ProvenUser & { methods: SignInMethod[] }> {
  if (visitor.ip) await countAttempt(perAddress, visitor.ip)
  return { ...(await verify(input, 'sign-in')), methods: ['hwk', 'mfa'] }
}

/**
 * Completes the second step of a pending sign-in by verifying a passkey.
 * @param token the cookie of the pending sign-in
 * @param input `response`, the browser's response as JSON
 * @returns the data for starting the session
 * @throws AppError BAD_USER_INPUT, UNAUTHENTICATED, RATE_LIMITED
 */
export async function verifyPasskeyStep(token: string | undefined, input: unknown) {
  const pending = await requirePendingSignIn(token)
  await countAttempt(secondStepLimit, pending.userId)
  await verify(input, 'second-step', pending.userId)
  const result = await prisma().$transaction((tx) => completeSecondStep(tx, token, pending, 'hwk'))
  await resetAttempts(secondStepLimit, pending.userId)
  return result
}

/**
 * Verifies an assertion (WebAuthn level 3, section 7.2), redeems its challenge, and records the use of the
 * passkey.
 * @param expected the ID of the only user whose passkey is accepted. If undefined, any user's passkey is
 * accepted.
 * @returns the ID of the passkey's user and the hash of the user's password
 * @throws AppError BAD_USER_INPUT, UNAUTHENTICATED (the passkey or the response is not accepted, or the user
 * is suspended)
 */
async function verify(input: unknown, purpose: ChallengePurpose, expected?: string): Promise<ProvenUser> {
  const { response } = parseInput(usePasskeyInput, input)
  const passkey = await prisma().passkey.findUnique({
    where: { id: response.id },
    include: { user: { select: { id: true, passwordHash: true, suspendedAt: true } } },
  })
  const { userHandle } = response.response
  const owner = passkey?.user
  const named = userHandle ? Buffer.from(userHandle, 'base64url').toString() : owner?.id
  if (!passkey || !owner || owner.suspendedAt || named !== owner.id || (expected && expected !== owner.id)) {
    throw refused()
  }
  const { rpID, origin } = relyingParty()
  const verified = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => spendChallenge(challenge, purpose, expected),
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: {
      id: passkey.id,
      publicKey: Uint8Array.from(passkey.publicKey),
      counter: Number(passkey.counter),
    },
    requireUserVerification: purpose === 'sign-in',
  }).catch(() => undefined)
  if (!verified?.verified) throw refused()
  await prisma().passkey.update({
    where: { id: passkey.id },
    data: {
      counter: verified.authenticationInfo.newCounter,
      synced: verified.authenticationInfo.credentialBackedUp,
      lastUsedAt: new Date(),
    },
  })
  return { userId: owner.id, passwordHash: owner.passwordHash }
}

function refused(): AppError {
  log.info('a sign-in was refused', { method: 'passkey' })
  return new AppError('UNAUTHENTICATED', 'This passkey can’t be used to sign in here. Try another method.')
}
