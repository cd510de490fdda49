import type { Metadata } from 'next'
import { cache } from 'react'
import { PageHeader } from '@/components/frame/page-header'
import { AssignWorkspace } from '@/components/instance-admin/assign-workspace'
import {
  WorkspaceApps,
  WorkspaceEvents,
  WorkspaceFacts,
  WorkspaceMembers,
} from '@/components/instance-admin/workspace-facts'
import { Badge } from '@/components/ui/badge'
import { Stack } from '@/components/ui/stack'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { getWorkspace, listWorkspaceMembers } from '@/lib/features/instance-admin/workspaces'
import { openInstanceAdmin } from '../../open-instance-admin'
import { assignWorkspaceAction } from './actions'

type Props = { params: Promise<{ id: string }>; searchParams: Promise<SearchParams> }

/**
 * Returns the workspace. Reads the workspace once per request for both the title and the content of the page.
 */
const readWorkspace = cache(getWorkspace)

async function openAnyWorkspace(params: Props['params']) {
  const { id } = await params
  const { actor } = await openInstanceAdmin(`/admin/workspaces/${id}`)
  return { actor, workspace: await orNotFound(readWorkspace(actor, id)) }
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await openAnyWorkspace(params)).workspace.name }
}

export default async function WorkspacePage({ params, searchParams }: Props) {
  const {
    actor,
    workspace: { counts, ...workspace },
  } = await openAnyWorkspace(params)
  const path = `/admin/workspaces/${workspace.id}`
  const { rows, ...sides } = await listWorkspaceMembers(actor, workspace.id, pageOf(await searchParams))
  return (
    <>
      <PageHeader
        title={workspace.name}
        trail={[{ label: 'Workspaces', href: '/admin/workspaces' }]}
        badge={
          <>
            {workspace.requireTwoFactor && <Badge>Two-factor</Badge>}
            {workspace.abandoned && <Badge tone="warning">Abandoned</Badge>}
          </>
        }
        description={workspace.slug}
      />
      <Stack>
        <WorkspaceFacts workspace={{ ...workspace, counts }} />
        {workspace.abandoned && (
          <AssignWorkspace
            workspace={{ id: workspace.id, users: workspace.abandoned }}
            action={assignWorkspaceAction}
          />
        )}
        <WorkspaceMembers members={rows} pages={pageHrefs(path, {}, rows, sides)} />
        <WorkspaceApps apps={workspace.apps} total={counts.clients} />
        <WorkspaceEvents events={workspace.events} slug={workspace.slug} />
      </Stack>
    </>
  )
}
