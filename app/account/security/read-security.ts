import { companyNames } from '@/lib/features/company-access/company-door'
import { readEmailState } from '@/lib/features/identity/email/confirm-email'
import { listIdentities } from '@/lib/features/identity/identities'
import { listPasskeys } from '@/lib/features/identity/passkeys/manage-passkeys'
import { hasPassword } from '@/lib/features/identity/people/password'
import { pendingTotp } from '@/lib/features/identity/two-factor/enroll-totp'
import { confirmedLately } from '@/lib/features/identity/two-factor/require-password'
import { secondFactors } from '@/lib/features/identity/two-factor/second-factors'
import type { SessionActor } from '@/lib/policy/actor'
import { qrCode } from './qr-code'
import { servicesOf } from './services'

/** What the page shows of how somebody signs in. */
export async function readSecurity(actor: SessionActor) {
  const [factors, passkeys, owned, email, waiting, confirmed, identities] = await Promise.all([
    secondFactors(actor.userId),
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
    // Whoever gave their password within minutes is not asked again, whatever they change next.
    asksPassword: owned && !confirmed,
    waiting: waiting && { secret: waiting.secret, qrCode: qrCode(waiting.uri) },
    services: servicesOf(identities, await companyNames(identities.map(({ provider }) => provider))),
  }
}
