import { type CredentialKind, credentialKinds } from '@/lib/credentials/tokens'

const prefix = (kind: CredentialKind) => `lk_${credentialKinds[kind]}_`

/** The kinds of tokens as the docs list them. */
export const tokenLifetimes: { what: string; prefix?: string; lives: string; purpose: string }[] = [
  {
    what: 'Access token',
    prefix: prefix('accessToken'),
    lives: 'one hour',
    purpose: 'Calls to /graphql/v2 and /oauth/me.',
  },
  {
    what: 'Refresh token',
    prefix: prefix('refreshToken'),
    lives: '365 days after its last use',
    purpose: 'New access tokens. Only with offline_access and prompt=consent.',
  },
  { what: 'id_token', lives: 'one hour', purpose: 'Tells your app who signed in.' },
  {
    what: 'Authorization code',
    prefix: prefix('authorizationCode'),
    lives: '60 seconds, one use',
    purpose: 'Exchanged at /oauth/token.',
  },
  {
    what: 'Device code',
    prefix: prefix('deviceCode'),
    lives: 'ten minutes, one use',
    purpose: 'Polled with at /oauth/token.',
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
    purpose: 'Deployments and the like, in one project.',
  },
  {
    what: 'Client secret',
    prefix: prefix('clientSecret'),
    lives: 'until revoked',
    purpose: 'Proves which web app is asking.',
  },
  {
    what: 'Registration access token',
    prefix: prefix('registrationToken'),
    lives: 'as long as the registration',
    purpose: 'Manages a self-registered client.',
  },
]
