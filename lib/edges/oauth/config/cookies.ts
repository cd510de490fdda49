import { derivedKeys } from '@/lib/base/credentials/seal'
import { hostCookieName, secureCookieName } from '@/lib/base/http/cookies'

/**
 * The engine's cookies, signed with the first key and read with all of them, so that every replica reads them. The interaction's
 * cookie is bound to the path of its page: two tabs do not meet.
 */
export const cookies = () => ({
  names: {
    session: hostCookieName('latchkey_oauth'),
    interaction: secureCookieName('latchkey_interaction'),
    resume: secureCookieName('latchkey_resume'),
  },
  keys: derivedKeys('oauth-cookies').map((key) => key.toString('hex')),
  long: { httpOnly: true, sameSite: 'lax' as const, signed: true, overwrite: true, path: '/' },
  short: { httpOnly: true, sameSite: 'lax' as const, signed: true, overwrite: true },
})
