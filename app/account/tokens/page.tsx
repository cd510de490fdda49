import type { Metadata } from 'next'
import { TokenTable } from '@/components/api-tokens/token-table'
import { PageButton } from '@/components/forms/action-button'
import { ListFrame } from '@/components/lists/list-frame'
import { roleNames } from '@/components/members/role-select'
import { KeyRound } from '@/components/ui/icon'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { requireSession } from '@/lib/edges/web/current-session'
import { displayToken } from '@/lib/features/api-tokens/list-api-tokens'
import { searchOwnTokens } from '@/lib/features/api-tokens/search-tokens'
import { revokeTokenAction } from './actions'

export const metadata: Metadata = { title: 'Tokens' }

/**
 * The texts that replace the name of a workspace or project if the user no longer has a role there, or if the
 * workspace requires two-factor authentication and the session lacks it.
 */
const leftPlaces = {
  ACCOUNT: '',
  WORKSPACE: 'A workspace you can’t access',
  PROJECT: 'A project you can’t access',
}

export default async function TokensPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await requireSession('/account/tokens')
  const query = await searchParams
  const search = searchOf(query)
  const page = await searchOwnTokens(actor, search, numberedPageOf(query))
  const tokens = page.rows.map(({ user: _, ...token }) => ({
    ...token,
    display: displayToken(token),
    reach: token.place === undefined ? 'All workspaces' : (token.place ?? leftPlaces[token.kind]),
    role: token.kind === 'ACCOUNT' && token.role === 'ADMIN' ? 'No limit' : roleNames[token.role],
  }))
  const create = <PageButton href="/account/tokens/new">New token</PageButton>
  return (
    <ListFrame
      path="/account/tokens"
      noun={['token', 'tokens']}
      page={page}
      search={search}
      action={create}
      empty={{
        icon: KeyRound,
        title: 'No tokens yet',
        text: 'Scripts use tokens to call the API as you, without a browser.',
        action: create,
      }}
    >
      <TokenTable tokens={tokens} listHref="/account/tokens" revoke={revokeTokenAction} />
    </ListFrame>
  )
}
