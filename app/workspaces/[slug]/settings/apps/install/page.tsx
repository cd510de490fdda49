import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { InstallForm } from '@/components/app-access/install-form'
import { PageHeader } from '@/components/frame/page-header'
import { EmptyState } from '@/components/ui/empty-state'
import { ButtonLink } from '@/components/ui/link'
import { isAppError } from '@/lib/base/errors/app-error'
import { type SearchParams, textOf } from '@/lib/edges/web/console/list-page'
import { readInstallOffer } from '@/lib/features/app-access/installations'
import { installAppAction } from '../actions'

export const metadata: Metadata = { title: 'Install an app' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

/** The page on which an admin installs an app (`?client_id=`) in the selected workspace. */
export default async function InstallAppPage({ params, searchParams }: Props) {
  const { slug } = await params
  const below = '/settings/apps/install'
  const clientId = textOf(await searchParams, 'client_id')
  const asked = clientId && `?client_id=${encodeURIComponent(clientId)}`
  const { actor, workspace, home } = await openWorkspace(slug, below + asked, 'workspace:decide-apps')
  const offer = await readInstallOffer(actor, workspace.id, clientId).catch((error) => {
    if (isAppError(error)) return error.message
    throw error
  })
  const trail = [{ label: 'Apps', href: `${home}/settings/apps` }]
  if (typeof offer === 'string') {
    return (
      <>
        <PageHeader title="Install an app" trail={trail} />
        <EmptyState
          title="This app can’t be installed"
          action={<ButtonLink href={`${home}/settings/apps`}>View apps</ButtonLink>}
        >
          {offer}
        </EmptyState>
      </>
    )
  }
  const { app, projects, installed } = offer
  return (
    <>
      <PageHeader title={`Install ${app.name}`} trail={trail} />
      <InstallForm
        place={{ id: workspace.id, clientId: app.id }}
        app={app}
        workspace={workspace.name}
        projects={projects}
        installed={installed}
        action={installAppAction}
      />
    </>
  )
}
