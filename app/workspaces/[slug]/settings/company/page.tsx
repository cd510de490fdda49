import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { CompanyDomain, ManagedApps, RemovedMembers } from '@/components/company/managed-apps'
import { ManagedAppForm, ProviderForm } from '@/components/company/provider-form'
import { Pagination } from '@/components/ui/pagination'
import { Stack } from '@/components/ui/stack'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { endOfGrace } from '@/lib/features/apps/app-domain'
import { companyProof } from '@/lib/features/company-access/company-domain'
import { callbackOfDoor } from '@/lib/features/company-access/company-door'
import { managedScopes, readProvider } from '@/lib/features/company-access/identity-provider'
import { listManagedApps } from '@/lib/features/company-access/managed-apps'
import { listRemovedMembers } from '@/lib/features/workspaces/remove-member'
import * as actions from './actions'

export const metadata: Metadata = { title: 'Company' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

export default async function WorkspaceCompanyPage({ params, searchParams }: Props) {
  const { slug } = await params
  const { actor, workspace, home } = await openWorkspace(slug, '/settings/company', 'workspace:decide-apps')
  const provider = await readProvider(actor, workspace.id)
  const { rows, ...sides } = await listManagedApps(actor, workspace.id, pageOf(await searchParams))
  const hrefs = pageHrefs(`${home}/settings/company`, {}, rows, sides)
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
            onlyDoor: provider.onlyDoor,
          }
        }
        redirectUri={callbackOfDoor(workspace.id)}
        action={actions.setProviderAction}
      />
      {provider && (
        <>
          <CompanyDomain
            workspaceId={workspace.id}
            named={provider}
            proof={companyProof(provider)}
            countsUntil={provider.failingSince && endOfGrace(provider.failingSince)}
            actions={{ verify: actions.verifyDomainAction, remove: actions.removeProviderAction }}
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
        </>
      )}
    </Stack>
  )
}
