import { derivedKey } from '@/lib/credentials/seal'

/**
 * The engine's cookies, signed with a key derived from SECRET_KEY, so that every replica reads them. The interaction's
 * cookie is bound to the path of its page: two tabs do not meet.
 */
export const cookies = () => ({
  names: { session: 'latchkey_oauth', interaction: 'latchkey_interaction', resume: 'latchkey_resume' },
  keys: [derivedKey('oauth-cookies').toString('hex')],
  long: { httpOnly: true, sameSite: 'lax' as const, signed: true, overwrite: true, path: '/' },
  short: { httpOnly: true, sameSite: 'lax' as const, signed: true, overwrite: true },
})
