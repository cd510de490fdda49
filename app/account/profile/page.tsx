import type { Metadata } from 'next'
import { PasswordForm } from '@/components/account/password-form'
import { ProfileForm } from '@/components/account/profile-form'
import { hasPassword } from '@/lib/people/change-password'
import { requireSession } from '@/lib/web/current-session'
import { AccountHeader } from '../account-header'
import { changePasswordAction, updateProfileAction } from '../actions'

export const metadata: Metadata = { title: 'Profile' }

export default async function ProfilePage() {
  const { actor, person } = await requireSession('/account/profile')
  return (
    <>
      <AccountHeader />
      <div className="grid gap-6">
        <ProfileForm person={person} action={updateProfileAction} />
        <PasswordForm
          hasPassword={await hasPassword(actor)}
          email={person.email}
          action={changePasswordAction}
        />
      </div>
    </>
  )
}
