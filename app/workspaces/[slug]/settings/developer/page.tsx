import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { AppList } from '@/components/apps/app-list'
import { GoButton } from '@/components/forms/go-button'
import { Section } from '@/components/ui/card'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { listApps } from '@/lib/features/apps/list-apps'

export const metadata: Metadata = { title: 'Developer' }

export default async function DeveloperPage({ params }: { params: Promise<{ slug: string }> }) {
  const { actor, workspace, home } = await openWorkspace(
    (await params).slug,
    '/settings/developer',
    'workspace:manage-apps',
  )
  const apps = await orNotFound(listApps(actor, workspace.id))
  const developerHref = `${home}/settings/developer`
  const create = <GoButton href={`${developerHref}/new`}>New OAuth App</GoButton>
  return (
    <Section
      title="OAuth apps"
      description="Apps that sign people in with their account here and act for them, as far as they agree."
      action={apps.length > 0 ? create : undefined}
      flush
    >
      <AppList apps={apps} developerHref={developerHref} create={create} />
    </Section>
  )
}
