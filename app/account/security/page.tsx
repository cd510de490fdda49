import type { Metadata } from 'next'
import { readBrand } from '@/app/brand'
import { EmailSection } from '@/components/account/email-section'
import { IdentitiesSection } from '@/components/account/identities-section'
import { MethodList } from '@/components/account/method-row'
import { PasswordForm } from '@/components/account/password-form'
import { PasskeysSection } from '@/components/two-factor/passkeys-section'
import { RecoveryCodesSection } from '@/components/two-factor/recovery-codes'
import { TotpSection } from '@/components/two-factor/totp-section'
import { Stack } from '@/components/ui/stack'
import { requireSession } from '@/lib/edges/web/current-session'
import { canUsePasskeys } from '@/lib/features/identity/passkeys/challenges'
import * as actions from './actions'
import { readSecurity } from './read-security'

export const metadata: Metadata = { title: 'Security' }

export default async function SecurityPage() {
  const { actor, user } = await requireSession('/account/security')
  const { serviceName } = readBrand()
  const { factors, passkeys, owned, email, asksPassword, waiting, services } = await readSecurity(actor)
  const shared = { asksPassword, serviceName }
  return (
    <Stack>
      <MethodList title="Sign-in methods">
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
        <PasswordForm hasPassword={owned} email={user.email} action={actions.changePasswordAction} />
        <EmailSection
          {...email}
          asksPassword={asksPassword}
          change={actions.changeEmailAction}
          verify={actions.sendVerificationAction}
        />
        <IdentitiesSection
          services={services}
          asksPassword={asksPassword}
          remove={actions.removeIdentityAction}
        />
      </MethodList>
      <MethodList
        title="Two-factor authentication"
        description={
          factors.enrolled
            ? 'Required when you sign in without a passkey.'
            : 'After you set it up, it’s required when you sign in without a passkey.'
        }
      >
        <TotpSection
          {...shared}
          active={factors.totp}
          waiting={waiting}
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
