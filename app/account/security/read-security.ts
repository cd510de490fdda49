import { signInProviders } from '@/lib/edges/web/sign-in/sign-in-providers'
import { readEmailState } from '@/lib/features/identity/email/confirm-email'
import { listIdentities } from '@/lib/features/identity/identities'
import { listPasskeys } from '@/lib/features/identity/passkeys/manage-passkeys'
import { pendingTotp } from '@/lib/features/identity/two-factor/enroll-totp'
import { confirmedLately } from '@/lib/features/identity/two-factor/require-password'
import { twoFactorMethods } from '@/lib/features/identity/two-factor/two-factor-methods'
import { hasPassword } from '@/lib/features/identity/users/password'
import { ssoConnectionNames } from '@/lib/features/sso/sso-connection'
import type { SessionActor } from '@/lib/policy/actor'
import { qrCode } from './qr-code'

/** Returns the data of the security page, such as the user's passkeys and connected identity providers. */
export async function readSecurity(actor: SessionActor) {
  const [factors, passkeys, owned, email, waiting, confirmed, identities] = await Promise.all([
    twoFactorMethods(actor.userId),
    listPasskeys(actor),
    hasPassword(actor),
    readEmailState(actor),
    pendingTotp(actor),
    confirmedLately(actor),
    listIdentities(actor),
  ])
  return {
    factors,
    passkeys,
    owned,
    email,
    // A user without a password cannot enter one. A user who entered the password in this session within the
    // last ten minutes does not have to enter it again.
    asksPassword: owned && !confirmed,
    waiting: waiting && { secret: waiting.secret, qrCode: qrCode(waiting.uri) },
    services: servicesOf(identities, await ssoConnectionNames(identities.map(({ provider }) => provider))),
  }
}

type Identity = Awaited<ReturnType<typeof listIdentities>>[number]

/** The names of the identity providers that an instance can use. */
const providerNames = { github: 'GitHub', google: 'Google', oidc: 'Single sign-on' }

/**
 * Returns the configured identity providers, other identity providers to which the user is still connected,
 * and the SSO connections of the given workspaces. Each entry lists the user's connected accounts.
 * @param workspaces the workspaces through whose SSO connections the user has signed in, each with the ID of
 * its provider. The user can disconnect these connections but cannot add new ones.
 */
function servicesOf(identities: Identity[], workspaces: { id: string; name: string }[]) {
  const usable = signInProviders().map(({ id, label }) => ({ id, name: label, usable: true }))
  const gone = Object.entries(providerNames)
    .filter(([id]) => !usable.some((each) => each.id === id))
    .filter(([id]) => identities.some(({ provider }) => provider === id))
    .map(([id, name]) => ({ id, name, usable: false }))
  const connections = workspaces.map((workspace) => ({ ...workspace, usable: true }))
  return [...usable, ...gone, ...connections].map((service) => ({
    ...service,
    connected: identities.filter(({ provider }) => provider === service.id),
  }))
}
