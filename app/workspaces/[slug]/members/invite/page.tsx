import type { Metadata } from 'next'
import { PageHeader } from '@/components/frame/page-header'
import { InviteForm } from '@/components/invitations/invite-form'
import { inviteAction } from '../actions'
import { openMembers } from '../open-members'

export const metadata: Metadata = { title: 'Invite people' }

export default async function InvitePage({ params }: { params: Promise<{ slug: string }> }) {
  const { workspace, path } = await openMembers(params, '/invite', true)
  return (
    <>
      <PageHeader title="Invite people" trail={[{ label: 'Members', href: path }]} />
      <InviteForm workspaceId={workspace.id} action={inviteAction} />
    </>
  )
}
