import { believesAnyCertificate } from '@/lib/base/config/database-url'
import type { Config } from '@/lib/base/config/env'

/** Settings that make sense together alone: with some of them, the others do nothing. */
const together: (keyof Config)[][] = [
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
]

const isLocal = (origin: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname)

/**
 * What is allowed, but seldom meant.
 * @returns one line for each, without any value that is secret
 */
export function doubtfulSettings(settings: Config): string[] {
  const { BASE_URL, TRUST_PROXY, SMTP_URL, MAIL_FROM } = settings
  const found: string[] = []
  if (isLocal(BASE_URL)) found.push(`BASE_URL is ${BASE_URL}, which only this machine reaches`)
  else {
    if (BASE_URL.startsWith('http:'))
      found.push('BASE_URL is plain http: passkeys and Secure cookies need https')
    if (TRUST_PROXY === undefined) {
      found.push('TRUST_PROXY is not set: behind a proxy everybody would share the limits of one address')
    }
  }
  if (SMTP_URL === undefined)
    found.push('SMTP_URL is not set: no mail is sent, and no forgotten password is reset')
  else if (MAIL_FROM === undefined)
    found.push('MAIL_FROM is not set: mails come from no-reply at the host of BASE_URL')
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'] as const) {
    if (
      [settings[name] ?? []].flat().some((address) => believesAnyCertificate(address, settings.DATABASE_CA))
    ) {
      found.push(`${name} encrypts and believes whoever answers: sslmode=verify-full asks for a certificate`)
    }
  }
  if (settings.functions && settings.DATABASE_REPLICA_URL.length > 0) {
    found.push('DATABASE_REPLICA_URL does nothing on functions, which cannot know what a replica shows')
  }
  for (const names of together) {
    const missing = names.filter((name) => settings[name] === undefined)
    if (missing.length > 0 && missing.length < names.length) {
      found.push(`${missing.join(' and ')} is not set, so ${names[0]?.split('_')[0]} sign-in is off`)
    }
  }
  return found
}
