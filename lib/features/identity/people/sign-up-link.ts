import { openToken, sealToken } from '@/lib/base/credentials/seal'
import { databaseNow } from '@/lib/base/db/watch-clock'

/** Who asked for an account, and where they go once they have it. */
export type SignUpLink = { email: string; next: string }

const lifetimeMs = 60 * 60 * 1000

/** Longer ways on are not worth a link that mail programs break. */
const longestNext = 500

/**
 * The token of a link that proves an address before there is an account of it. It holds what is known by itself, sealed: a row for
 * each address that somebody types would be theirs to fill the database with. It needs none to be used once: the account is made.
 */
export const sealSignUpLink = ({ email, next }: SignUpLink): string =>
  sealToken(
    JSON.stringify({
      email,
      next: next.length > longestNext ? '/' : next,
      until: databaseNow() + lifetimeMs,
    }),
    'sign-up',
  )

/** What a link's token holds. @returns undefined for one that is forged or malformed, and an hour after it was sent */
export function openSignUpLink(token: string): SignUpLink | undefined {
  const text = openToken(token, 'sign-up')
  if (!text) return undefined
  const { email, next, until } = JSON.parse(text) as SignUpLink & { until: number }
  return until > databaseNow() ? { email, next } : undefined
}
