import {
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { uniqueViolation } from '@/lib/base/db/database-errors'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SessionActor } from '@/lib/policy/actor'
import { lockUser } from '@/lib/policy/lock-role'
import { passwordInput, replaceRecoveryCodes } from '../two-factor/codes'
import { requirePassword } from '../two-factor/require-password'
import { raiseSession } from '../two-factor/two-factor-methods'
import { registerPasskeyInput, relyingParty, spendChallenge, storeChallenge } from './challenges'

const most = 20

/**
 * Returns the text under which a challenge is stored. The text contains the session's ID, because the user
 * entered the password only in this session.
 */
const inSession = (challenge: string, { sessionId }: SessionActor) => `${challenge} ${sessionId}`

const tooMany = () => new AppError('CONFLICT', `You can have up to ${most} passkeys. Remove one first.`)

/**
 * Returns the options for creating a passkey (WebAuthn level 3, section 5.4), and stores their challenge. The
 * passkey must be able to sign the user in on its own, so it must be discoverable and must support user
 * verification.
 * @param input `password`
 * @throws the errors of `requirePassword`, and CONFLICT if the user already has twenty passkeys
 */
export async function passkeyCreationOptions(actor: SessionActor, input: unknown) {
  await requirePassword(actor, parseInput(passwordInput, input).password)
  const user = await prisma().user.findUniqueOrThrow({
    where: { id: actor.userId },
    include: { passkeys: { select: { id: true, transports: true } } },
  })
  if (user.passkeys.length >= most) throw tooMany()
  const { rpID, rpName } = relyingParty()
  const options = await generateRegistrationOptions({
    rpID,
    rpName,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    excludeCredentials: user.passkeys,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestationType: 'none',
  })
  await storeChallenge(inSession(options.challenge, actor), 'registration', actor.userId)
  return options
}

/**
 * Stores a passkey that the browser created with options for the same session, and marks the session as
 * two-factor. Ends the user's other sessions that were started without 2FA.
 * @param input `name`, `response` (the browser's response as JSON)
 * @returns new recovery codes, which are shown only once. Empty if the user already has recovery codes.
 * @throws AppError BAD_USER_INPUT (an invalid name or response), CONFLICT (the passkey is already in use, or
 * the user has twenty passkeys)
 */
export async function registerPasskey(
  actor: SessionActor,
  input: unknown,
): Promise<{ recoveryCodes: string[] }> {
  const { name, response } = parseInput(registerPasskeyInput, input)
  const { rpID, origin } = relyingParty()
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: (challenge) =>
      spendChallenge(inSession(challenge, actor), 'registration', actor.userId),
    expectedOrigin: origin,
    expectedRPID: rpID,
  }).catch(() => undefined)
  if (!verified?.verified) throw new AppError('BAD_USER_INPUT', 'This passkey could not be added. Try again.')
  const { credential, credentialBackedUp } = verified.registrationInfo
  const { userId } = actor
  try {
    return await prisma().$transaction(async (tx) => {
      // Lock the user, because a concurrent sign-in with only the password locks the user too. The sign-in
      // either finds the new passkey, or it starts its session first and `raiseSession` ends that session.
      await lockUser(tx, userId)
      if ((await tx.passkey.count({ where: { userId } })) >= most) throw tooMany()
      await tx.passkey.create({
        data: {
          id: credential.id,
          userId,
          name,
          publicKey: Uint8Array.from(credential.publicKey),
          counter: credential.counter,
          transports: credential.transports ?? [],
          synced: credentialBackedUp,
        },
      })
      await raiseSession(tx, actor, 'hwk')
      await recordEvent(tx, actor, {
        action: 'two_factor.passkey_added',
        resource: { type: 'passkey', id: credential.id },
        details: { name },
      })
      const has = await tx.recoveryCode.count({ where: { userId } })
      return { recoveryCodes: has > 0 ? [] : await replaceRecoveryCodes(tx, userId) }
    })
  } catch (error) {
    if (uniqueViolation(error))
      throw new AppError('CONFLICT', 'This passkey is already registered. Use another passkey.')
    throw error
  }
}
