import { z } from 'zod'
import { nameInput } from '@/lib/base/errors/names'

const base64url = z
  .string()
  .regex(/^[\w-]+$/)
  .max(8_000)

/** A browser's answer in JSON, as a form carries it; the fields beyond these are the library's business. */
const answer = <Response extends z.ZodType>(response: Response) =>
  z
    .string()
    .max(16_000)
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue({ code: 'custom', message: 'The passkey gave no answer. Try again.' })
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
        { error: 'The passkey gave no answer. Try again.' },
      ),
    )

const passkeyName = nameInput('Name the passkey, so that you know it again.', 60)

/** Adding a passkey: the browser's answer to the creation options. */
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

/** Signing in with one: the browser's answer to the request options. */
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

/** Renaming one. */
export const renamePasskeyInput = z.object({ name: passkeyName })
