import type { Metadata } from 'next'
import { AuthorizationList, SsoManagedApps } from '@/components/authorizations/authorization-list'
import { ListFrame } from '@/components/lists/list-frame'
import { ShieldCheck } from '@/components/ui/icon'
import { ButtonLink } from '@/components/ui/link'
import { Stack } from '@/components/ui/stack'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { requireSession } from '@/lib/edges/web/current-session'
import { searchAuthorizations } from '@/lib/features/apps/authorizations/list-authorizations'
import { listLastActions } from '@/lib/features/audit/list-last-actions'
import { listSsoManagedApps } from '@/lib/features/sso/managed-users'
import { revokeAuthorizationAction } from './actions'

export const metadata: Metadata = { title: 'Authorized apps' }

export default async function AuthorizedAppsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await requireSession('/account/apps')
  const query = await searchParams
  const search = searchOf(query)
  const page = await searchAuthorizations(actor, search, numberedPageOf(query))
  const through = await listSsoManagedApps(actor)
  const clientIds = [...page.rows, ...through].map(({ app }) => app.id)
  const actions = await listLastActions(actor, [...new Set(clientIds)], 5)
  return (
    <Stack>
      <SsoManagedApps apps={through} actions={actions} />
      <ListFrame
        path="/account/apps"
        noun={['authorized app', 'authorized apps']}
        page={page}
        search={search}
        empty={{
          icon: ShieldCheck,
          title: 'No authorized apps',
          text: 'Apps that you sign in to with this account, or that use the API for you, appear here.',
          action: <ButtonLink href="/account/agents">Connect an agent</ButtonLink>,
        }}
      >
        <AuthorizationList authorizations={page.rows} actions={actions} revoke={revokeAuthorizationAction} />
      </ListFrame>
    </Stack>
  )
}
