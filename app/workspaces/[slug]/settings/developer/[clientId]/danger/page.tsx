import type { Metadata } from 'next'
import { DeleteAppSection, TransferAppSection } from '@/components/apps/danger-sections'
import { counted } from '@/components/ui/formats'
import { Stack } from '@/components/ui/stack'
import { transfersOf } from '@/lib/features/app-transfers/request-transfer'
import { cancelTransferAction, deleteAppAction, requestTransferAction } from '../../actions'
import { openApp } from '../../open-app'

export const metadata: Metadata = { title: 'Danger' }

export default async function AppDangerPage({
  params,
}: {
  params: Promise<{ slug: string; clientId: string }>
}) {
  const { app, workspace, developerHref } = await openApp(params, '/danger')
  const users = app.users === 0 ? 'No users have' : counted(app.users, 'user has', 'users have')
  const [offer = null] = await transfersOf([app.id])
  return (
    <Stack>
      <TransferAppSection
        app={app}
        workspace={workspace.name}
        offer={offer}
        create={requestTransferAction}
        withdraw={cancelTransferAction}
      />
      <DeleteAppSection app={app} users={users} back={developerHref} action={deleteAppAction} />
    </Stack>
  )
}
