import type { Metadata } from 'next'
import { readBrand } from '@/app/brand'
import { EmailSection } from '@/components/account/email-section'
import { MethodList } from '@/components/account/method-row'
import { PasswordForm } from '@/components/account/password-form'
import { PasskeysSection } from '@/components/two-factor/passkeys-section'
import { RecoveryCodesSection } from '@/components/two-factor/recovery-codes-section'
import { TotpSection } from '@/components/two-factor/totp-section'
import { Stack } from '@/components/ui/stack'
import { requireSession } from '@/lib/edges/web/session/current-session'
import { readEmailState } from '@/lib/features/identity/email-verification/read-email-state'
import { listPasskeys } from '@/lib/features/identity/passkeys/manage-passkeys'
import { canUsePasskeys } from '@/lib/features/identity/passkeys/relying-party'
import { hasPassword } from '@/lib/features/identity/people/change-password'
import { confirmedLately } from '@/lib/features/identity/two-factor/confirmed-lately'
import { pendingTotp } from '@/lib/features/identity/two-factor/enroll-totp'
import { secondFactors } from '@/lib/features/identity/two-factor/second-factors'
import * as actions from './actions'
import { qrCode } from './qr-code'

export const metadata: Metadata = { title: 'Security' }

export default async function SecurityPage() {
  const { actor, person } = await requireSession('/account/security')
  const { serviceName } = readBrand()
  const [factors, passkeys, owned, email, waiting, confirmed] = await Promise.all([
    secondFactors(actor.userId),
    listPasskeys(actor),
    hasPassword(actor),
    readEmailState(actor),
    pendingTotp(actor),
    confirmedLately(actor),
  ])
  // Whoever gave their password within minutes is not asked again, whatever they change next.
  const shared = { asksPassword: owned && !confirmed, serviceName }
  return (
    <Stack>
      <MethodList title="Ways to sign in">
        <PasskeysSection
          {...shared}
          passkeys={passkeys}
          possible={canUsePasskeys()}
          actions={{
            options: actions.passkeyOptionsAction,
            register: actions.registerPasskeyAction,
            rename: actions.renamePasskeyAction,
            remove: actions.removePasskeyAction,
          }}
        />
        <PasswordForm hasPassword={owned} email={person.email} action={actions.changePasswordAction} />
        <EmailSection
          {...email}
          asksPassword={shared.asksPassword}
          change={actions.changeEmailAction}
          verify={actions.sendVerificationAction}
        />
      </MethodList>
      <MethodList title="Second factor" description="Asked for when you sign in with your password.">
        <TotpSection
          {...shared}
          active={factors.totp}
          waiting={waiting && { secret: waiting.secret, qrCode: qrCode(waiting.uri) }}
          actions={{
            begin: actions.beginTotpAction,
            cancel: actions.cancelTotpAction,
            confirm: actions.confirmTotpAction,
            remove: actions.removeTotpAction,
          }}
        />
        {factors.enrolled && (
          <RecoveryCodesSection
            {...shared}
            left={factors.recoveryCodes}
            action={actions.renewRecoveryCodesAction}
          />
        )}
      </MethodList>
    </Stack>
  )
}
