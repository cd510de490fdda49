import type { Metadata } from 'next'
import { DeleteAppSection, OfferAppSection } from '@/components/apps/danger-sections'
import { Stack } from '@/components/ui/stack'
import { offersOf } from '@/lib/features/app-offers/offer-app'
import { deleteAppAction, offerAppAction, withdrawOfferAction } from '../../actions'
import { openApp } from '../../open-app'

export const metadata: Metadata = { title: 'Danger' }

export default async function AppDangerPage({
  params,
}: {
  params: Promise<{ slug: string; clientId: string }>
}) {
  const { app, workspace, developerHref } = await openApp(params, '/danger')
  const people = app.people === 1 ? '1 person has' : `${app.people} people have`
  const [offer = null] = await offersOf([app.id])
  return (
    <Stack>
      <OfferAppSection
        app={app}
        workspace={workspace.name}
        offer={offer}
        create={offerAppAction}
        withdraw={withdrawOfferAction}
      />
      <DeleteAppSection app={app} people={people} back={developerHref} action={deleteAppAction} />
    </Stack>
  )
}
