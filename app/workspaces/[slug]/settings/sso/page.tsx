import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { ManagedApps, RemovedMembers, RemoveProvider, SsoDomain } from '@/components/sso/managed-apps'
import { ManagedAppForm, ProviderForm } from '@/components/sso/provider-form'
import { Pagination } from '@/components/ui/pagination'
import { Stack } from '@/components/ui/stack'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { endOfGrace } from '@/lib/features/apps/app-domain'
import { managedScopes, readProvider } from '@/lib/features/sso/identity-provider'
import { listManagedApps } from '@/lib/features/sso/managed-apps'
import { ssoCallbackUrl } from '@/lib/features/sso/sso-connection'
import { ssoDomainProof } from '@/lib/features/sso/sso-domain'
import { listRemovedMembers } from '@/lib/features/workspaces/former-members'
import * as actions from './actions'

export const metadata: Metadata = { title: 'Single sign-on' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

export default async function WorkspaceSsoPage({ params, searchParams }: Props) {
  const { slug } = await params
  const { actor, workspace, home } = await openWorkspace(slug, '/settings/sso', 'workspace:decide-apps')
  const provider = await readProvider(actor, workspace.id)
  const { rows, ...sides } = await listManagedApps(actor, workspace.id, pageOf(await searchParams))
  const hrefs = pageHrefs(`${home}/settings/sso`, {}, rows, sides)
  return (
    <Stack>
      <ProviderForm
        workspaceId={workspace.id}
        provider={
          provider && {
            issuer: provider.issuer,
            clientId: provider.clientId,
            hasSecret: provider.hasSecret,
            domain: provider.domain,
            joinAs: provider.joinAs,
            requiresSso: provider.requiresSso,
          }
        }
        redirectUri={ssoCallbackUrl(workspace.id)}
        action={actions.setProviderAction}
      />
      {provider && (
        <>
          <SsoDomain
            workspaceId={workspace.id}
            named={provider}
            proof={ssoDomainProof(provider)}
            countsUntil={provider.failingSince && endOfGrace(provider.failingSince)}
            verify={actions.verifyDomainAction}
          />
          <RemovedMembers
            workspaceId={workspace.id}
            members={await listRemovedMembers(actor, workspace.id)}
            allow={actions.allowRemovedAction}
          />
          <ManagedApps workspaceId={workspace.id} apps={rows} forbid={actions.forbidAppAction} />
          {(hrefs.previous || hrefs.next) && <Pagination {...hrefs} label="Pages of apps" />}
          <ManagedAppForm
            workspaceId={workspace.id}
            offered={managedScopes}
            action={actions.allowAppAction}
          />
          <RemoveProvider workspaceId={workspace.id} remove={actions.removeProviderAction} />
        </>
      )}
    </Stack>
  )
}
