import type { Metadata } from 'next'
import { ProfileForm } from '@/components/account/profile-form'
import { requireSession } from '@/lib/web/current-session'
import { AccountHeader } from '../account-header'
import { updateProfileAction } from '../actions'

export const metadata: Metadata = { title: 'Profile' }

export default async function ProfilePage() {
  const { person } = await requireSession('/account/profile')
  return (
    <>
      <AccountHeader />
      <ProfileForm person={person} action={updateProfileAction} />
    </>
  )
}
