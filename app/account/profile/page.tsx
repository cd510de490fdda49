import type { Metadata } from 'next'
import { ProfileForm } from '@/components/account/profile-form'
import { PictureForm } from '@/components/pictures/picture-form'
import { Stack } from '@/components/ui/stack'
import { requireSession } from '@/lib/edges/web/current-session'
import { pictureRefusal } from '@/lib/edges/web/forms/answer-picture-form'
import { readLanguage } from '@/lib/features/identity/users/profile'
import { updateProfileAction } from './actions'

export const metadata: Metadata = { title: 'Profile' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function ProfilePage({ searchParams }: Props) {
  const { actor, user } = await requireSession('/account/profile')
  return (
    <Stack>
      <ProfileForm user={{ ...user, language: await readLanguage(actor) }} action={updateProfileAction} />
      <PictureForm
        at="picture"
        title="Picture"
        description="Shown next to your name, and visible to apps with access to your profile."
        label="New picture"
        owner={user.name}
        ownerId={user.id}
        src={user.avatarUrl}
        shape="round"
        action="/account/profile/picture"
        refused={await pictureRefusal((await searchParams).error, 'picture')}
      />
    </Stack>
  )
}
