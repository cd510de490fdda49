import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { listedToken, TokenTable } from '@/components/api-tokens/token-table'
import { GoButton } from '@/components/forms/creation-form'
import { ListFrame } from '@/components/lists/list-frame'
import { KeyRound } from '@/components/ui/icon'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { searchWorkspaceTokens } from '@/lib/features/api-tokens/search-tokens'
import { revokeWorkspaceTokenAction } from './actions'

export const metadata: Metadata = { title: 'Tokens' }

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

export default async function WorkspaceTokensPage({ params, searchParams }: Props) {
  const { actor, workspace, home } = await openWorkspace(
    (await params).slug,
    '/settings/tokens',
    'workspace:manage-tokens',
  )
  const path = `${home}/settings/tokens`
  const query = await searchParams
  const search = searchOf(query)
  const page = await orNotFound(searchWorkspaceTokens(actor, workspace.id, search, numberedPageOf(query)))
  const create = <GoButton href={`${path}/new`}>New token</GoButton>
  return (
    <ListFrame
      path={path}
      noun={['token', 'tokens']}
      page={page}
      search={search}
      action={create}
      empty={{
        icon: KeyRound,
        title: 'No tokens yet',
        text: 'Scripts use workspace tokens to call the API for this workspace only.',
        action: create,
      }}
    >
      <TokenTable
        tokens={page.rows.map(listedToken)}
        reach="Resources"
        listHref={path}
        revoke={revokeWorkspaceTokenAction}
      />
    </ListFrame>
  )
}
