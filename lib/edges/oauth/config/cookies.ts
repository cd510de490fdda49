import { derivedKey } from '@/lib/base/credentials/seal'
import { hostCookieName, secureCookieName } from '@/lib/base/http/cookie-names'

/**
 * The engine's cookies, signed with a key derived from SECRET_KEY, so that every replica reads them. The interaction's
 * cookie is bound to the path of its page: two tabs do not meet.
 */
export const cookies = () => ({
  names: {
    session: hostCookieName('latchkey_oauth'),
    interaction: secureCookieName('latchkey_interaction'),
    resume: secureCookieName('latchkey_resume'),
  },
  keys: [derivedKey('oauth-cookies').toString('hex')],
  long: { httpOnly: true, sameSite: 'lax' as const, signed: true, overwrite: true, path: '/' },
  short: { httpOnly: true, sameSite: 'lax' as const, signed: true, overwrite: true },
})
