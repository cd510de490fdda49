import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { qrCode } from '@/app/account/security/qr-code'
import { sayToVisitor } from '@/app/auth-pages/under-next'
import { readBrand } from '@/app/brand'
import { AuthFrame } from '@/components/frame/auth-frame'
import { FactorSetup } from '@/components/two-factor/factor-setup'
import { safeNext, signInPath } from '@/lib/base/http/safe-next'
import { type SearchParams, textOf } from '@/lib/edges/web/console/list-page'
import { currentSignIn } from '@/lib/edges/web/current-session'
import { canUsePasskeys } from '@/lib/features/identity/passkeys/challenges'
import { listPasskeys } from '@/lib/features/identity/passkeys/manage-passkeys'
import { pendingTotp } from '@/lib/features/identity/two-factor/enroll-totp'
import { confirmedLately } from '@/lib/features/identity/two-factor/require-password'
import { twoFactorMethods } from '@/lib/features/identity/two-factor/two-factor-methods'
import { hasPassword } from '@/lib/features/identity/users/password'
import { owesTwoFactor } from '@/lib/policy/two-factor'
import * as actions from './actions'

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await sayToVisitor())('factor.title'),
})

/**
 * The page on which a user sets up required two-factor authentication (ADR 0029) and then continues to
 * `?next=`. If the user has no method and needs none, the page redirects to `?next=`. Users who are not
 * signed in are redirected to the sign-in page.
 */
export default async function TwoFactorPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const next = safeNext(textOf(await searchParams, 'next'))
  const signIn = await currentSignIn()
  if (!signIn) redirect(signInPath(next))
  const { actor } = signIn
  const [say, factors, passkeys, owned, confirmed, waiting] = await Promise.all([
    sayToVisitor(),
    twoFactorMethods(actor.userId),
    listPasskeys(actor),
    hasPassword(actor),
    confirmedLately(actor),
    pendingTotp(actor),
  ])
  const owes = owesTwoFactor(actor, actor.instanceAdmin ? 'operating' : 'anything')
  if (!owes && !factors.enrolled) redirect(next)
  const brand = readBrand()
  return (
    <AuthFrame brand={brand} say={say} wide>
      <FactorSetup
        say={say}
        step={!owes ? 'done' : factors.enrolled ? 'sign-in-again' : 'set-up'}
        next={next}
        serviceName={brand.serviceName}
        asksPassword={owned && !confirmed}
        passkeys={{ possible: canUsePasskeys(), listed: passkeys }}
        totp={{
          active: factors.totp,
          waiting: waiting && { secret: waiting.secret, qrCode: qrCode(waiting.uri) },
        }}
        actions={{
          begin: actions.beginTotpAction,
          cancel: actions.cancelTotpAction,
          confirm: actions.confirmTotpAction,
          removeTotp: actions.removeTotpAction,
          options: actions.passkeyOptionsAction,
          register: actions.registerPasskeyAction,
          rename: actions.renamePasskeyAction,
          removePasskey: actions.removePasskeyAction,
        }}
      />
    </AuthFrame>
  )
}
