import type { Metadata } from 'next'
import { TokenTable } from '@/components/api-tokens/token-table'
import { GoButton } from '@/components/forms/creation-form'
import { ListFrame } from '@/components/lists/list-frame'
import { roleNames } from '@/components/members/role-select'
import { KeyRound } from '@/components/ui/icon'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { displayToken } from '@/lib/features/api-tokens/list-api-tokens'
import { searchProjectTokens } from '@/lib/features/api-tokens/search-tokens'
import { openProject } from '../../open-project'
import { revokeProjectTokenAction } from './actions'

export const metadata: Metadata = { title: 'Tokens' }

type Props = { params: Promise<{ slug: string; id: string }>; searchParams: Promise<SearchParams> }

export default async function ProjectTokensPage({ params, searchParams }: Props) {
  const { actor, project, address } = await openProject(params, '/tokens', 'project:manage-tokens')
  const query = await searchParams
  const search = searchOf(query)
  const page = await searchProjectTokens(actor, project.id, search, numberedPageOf(query))
  const tokens = page.rows.map(({ role, environment, user, ...token }) => ({
    ...token,
    display: displayToken(token),
    reach: environment ? `${roleNames[role]}, ${environment}` : roleNames[role],
    by: user,
  }))
  const create = <GoButton href={`${address}/tokens/new`}>New token</GoButton>
  return (
    <ListFrame
      path={`${address}/tokens`}
      noun={['token', 'tokens']}
      page={page}
      search={search}
      action={create}
      empty={{
        icon: KeyRound,
        title: 'No tokens yet',
        text: 'Scripts use project tokens to call the API for this project only.',
        action: create,
      }}
    >
      <TokenTable
        tokens={tokens}
        reach="Role"
        listHref={`${address}/tokens`}
        revoke={revokeProjectTokenAction}
      />
    </ListFrame>
  )
}
