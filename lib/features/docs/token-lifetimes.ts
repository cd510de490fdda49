import { config } from '@/lib/base/config/env'
import { type CredentialKind, credentialKinds } from '@/lib/base/credentials/tokens'

const prefix = (kind: CredentialKind) => `lk_${credentialKinds[kind]}_`

/** The lifetimes of tokens and codes that the server uses, in seconds. */
export type Lifetimes = Record<'AccessToken' | 'IdToken' | 'AuthorizationCode' | 'DeviceCode', number>

export type TokenKind = { what: string; prefix?: string; lives: string; purpose: string }

/**
 * Formats a duration in the largest unit (hours, minutes, or seconds) that divides it evenly, such as "1
 * hour" for 3600 seconds.
 */
function inWords(seconds: number): string {
  const [name, size] = units.find(([, each]) => seconds % each === 0) ?? ['second', 1]
  const count = seconds / size
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

const units = [
  ['hour', 3600],
  ['minute', 60],
] as const

/**
 * Returns the types of tokens, codes, and secrets that the documentation lists, with their prefixes,
 * lifetimes, and purposes.
 */
export const describeTokens = (lifetimes: Lifetimes): TokenKind[] => [
  {
    what: 'Access token',
    prefix: prefix('accessToken'),
    lives: inWords(lifetimes.AccessToken),
    purpose: 'Calls /graphql/v2 and /oauth/me.',
  },
  {
    what: 'Refresh token',
    prefix: prefix('refreshToken'),
    lives: refreshTokenLife(),
    purpose:
      'Gets new access tokens. To receive one, request offline_access and, for sign-ins in the browser, prompt=consent.',
  },
  { what: 'ID token', lives: inWords(lifetimes.IdToken), purpose: 'Identifies the user who signed in.' },
  {
    what: 'Authorization code',
    prefix: prefix('authorizationCode'),
    lives: `${inWords(lifetimes.AuthorizationCode)}, one use`,
    purpose: 'Exchanged at /oauth/token.',
  },
  {
    what: 'Device code',
    prefix: prefix('deviceCode'),
    lives: `${inWords(lifetimes.DeviceCode)}, one use`,
    purpose: 'Used to poll /oauth/token.',
  },
  {
    what: 'Account token',
    prefix: prefix('accountToken'),
    lives: 'as chosen',
    purpose: 'Your own scripts, in every workspace.',
  },
  {
    what: 'Workspace token',
    prefix: prefix('workspaceToken'),
    lives: 'as chosen',
    purpose: 'Your own scripts, in one workspace.',
  },
  {
    what: 'Project token',
    prefix: prefix('projectToken'),
    lives: 'as chosen',
    purpose: 'Deployments and other scripts, in one project.',
  },
  {
    what: 'Project token for one environment',
    prefix: prefix('environmentToken'),
    lives: 'as chosen',
    purpose: 'Reads and writes the variables of one environment.',
  },
  {
    what: 'Client secret',
    prefix: prefix('clientSecret'),
    lives: 'until it is revoked, or as chosen',
    purpose: 'Authenticates a web app.',
  },
  {
    what: 'Registration access token',
    prefix: prefix('registrationToken'),
    lives: 'as long as the client is registered',
    purpose: 'Manages a self-registered client.',
  },
]

function refreshTokenLife(): string {
  const { refreshTokenDays } = config()
  return `${refreshTokenDays / 2} days after its last use, and no later than ${refreshTokenDays} days after the authorization`
}
