import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { z } from 'zod'
import { config } from '@/lib/base/config/env'
import { databaseNow } from '@/lib/base/db/clock'
import { prisma } from '@/lib/base/db/prisma'
import { nameInput } from '@/lib/base/errors/names'

const base64url = z
  .string()
  .regex(/^[\w-]+$/)
  .max(8_000)

/**
 * Returns the schema of a form field that contains a browser's WebAuthn response as JSON. The schema checks
 * only the format of the fields. The WebAuthn library verifies their content.
 * @param response the schema of the field `response` in the JSON
 */
const answer = <Response extends z.ZodType>(response: Response) =>
  z
    .string()
    .max(16_000)
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue({ code: 'custom', message: 'The passkey didn’t respond. Try again.' })
        return z.NEVER
      }
    })
    .pipe(
      z.object(
        {
          id: base64url,
          rawId: base64url,
          type: z.literal('public-key'),
          response,
          clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
        },
        { error: 'The passkey didn’t respond. Try again.' },
      ),
    )

const passkeyName = nameInput('Enter a name for the passkey.', 60)

/** The form that adds a passkey: its name and the browser's response to the creation options. */
export const registerPasskeyInput = z.object({
  name: passkeyName,
  response: answer(
    z.looseObject({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: z.array(z.string().max(20)).max(10).optional(),
    }),
  ),
})

/** The form that signs in with a passkey: the browser's response to the request options. */
export const usePasskeyInput = z.object({
  response: answer(
    z.looseObject({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: base64url.optional().nullable(),
    }),
  ),
})

/** The form that renames a passkey. */
export const renamePasskeyInput = z.object({ name: passkeyName })

/**
 * Returns the relying party, which is identified by the host of BASE_URL. If the host changes, existing
 * passkeys stop working.
 * @see https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export const relyingParty = () => ({
  rpID: new URL(config().BASE_URL).hostname,
  rpName: config().serviceName,
  origin: config().BASE_URL,
})

/**
 * Returns whether browsers support passkeys at BASE_URL. Browsers require https or localhost, and do not
 * support IP addresses.
 */
export function canUsePasskeys(): boolean {
  const { protocol, hostname } = new URL(config().BASE_URL)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && (protocol === 'https:' || isLocal)
}

/** The purpose of a challenge. A response to a challenge cannot be used for any other purpose. */
export type ChallengePurpose = 'registration' | 'sign-in' | 'second-step'

/** The lifetime of a challenge. Browsers close their passkey dialogs before this time has passed. */
const lifetimeMs = 5 * 60 * 1000

const hashOf = (challenge: string) => Uint8Array.from(createHash('sha256').update(challenge).digest())

/**
 * Stores an issued challenge, and deletes expired challenges.
 * @param challenge the challenge in base64url, as in the options
 * @param userId the user of the challenge, or undefined if the user is not known yet
 */
export async function storeChallenge(
  challenge: string,
  purpose: ChallengePurpose,
  userId?: string,
): Promise<void> {
  const expiresAt = new Date(databaseNow() + lifetimeMs)
  await prisma().$transaction([
    prisma().webauthnChallenge.create({ data: { hash: hashOf(challenge), purpose, userId, expiresAt } }),
    prisma().webauthnChallenge.deleteMany({ where: { expiresAt: { lt: new Date(databaseNow()) } } }),
  ])
}

/**
 * Redeems a challenge. Each challenge can be redeemed only once.
 * @returns whether the challenge was issued for this purpose and this user (or for an unknown user, if
 * `userId` is undefined), and has neither expired nor been used
 */
export async function spendChallenge(
  challenge: string,
  purpose: ChallengePurpose,
  userId?: string,
): Promise<boolean> {
  const { count } = await prisma().webauthnChallenge.deleteMany({
    where: {
      hash: hashOf(challenge),
      purpose,
      userId: userId ?? null,
      expiresAt: { gt: new Date(databaseNow()) },
    },
  })
  return count === 1
}
