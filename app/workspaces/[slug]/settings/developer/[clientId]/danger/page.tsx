import type { Metadata } from 'next'
import { DeleteAppSection } from '@/components/apps/delete-app-section'
import { Stack } from '@/components/ui/stack'
import { deleteAppAction } from '../../actions'
import { openApp } from '../../open-app'

export const metadata: Metadata = { title: 'Danger' }

export default async function AppDangerPage({
  params,
}: {
  params: Promise<{ slug: string; clientId: string }>
}) {
  const { app, developerHref } = await openApp(params, '/danger')
  const people = app.people === 1 ? '1 person has' : `${app.people} people have`
  return (
    <Stack>
      <DeleteAppSection app={app} people={people} back={developerHref} action={deleteAppAction} />
    </Stack>
  )
}
