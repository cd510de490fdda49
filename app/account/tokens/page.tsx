import { KeyRound } from 'lucide-react'
import type { Metadata } from 'next'
import { TokenTable } from '@/components/api-tokens/token-table'
import { GoButton } from '@/components/forms/go-button'
import { roleNames } from '@/components/members/role-select'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Pagination } from '@/components/ui/pagination'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { requireSession } from '@/lib/edges/web/session/current-session'
import { displayToken, listOwnTokens } from '@/lib/features/api-tokens/list-api-tokens'
import { revokeTokenAction } from './actions'

export const metadata: Metadata = { title: 'Tokens' }

/** Confined to what the person has no role in any more, or enters with two factors alone. */
const leftPlaces = {
  ACCOUNT: '',
  WORKSPACE: 'A workspace you cannot enter',
  PROJECT: 'A project you cannot enter',
}

export default async function TokensPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await requireSession('/account/tokens')
  const { rows, ...sides } = await listOwnTokens(actor, pageOf(await searchParams))
  const hrefs = pageHrefs('/account/tokens', {}, rows, sides)
  const tokens = rows.map((token) => ({
    ...token,
    display: displayToken(token),
    reach: token.place === undefined ? 'All workspaces' : (token.place ?? leftPlaces[token.kind]),
    role: token.kind === 'ACCOUNT' && token.role === 'ADMIN' ? 'No limit' : roleNames[token.role],
  }))
  const create = <GoButton href="/account/tokens/new">New token</GoButton>
  return (
    <>
      <Section
        title="API tokens"
        description="For scripts and services of your own. They act for you: treat them like passwords."
        action={tokens.length > 0 ? create : undefined}
        flush
      >
        {tokens.length === 0 ? (
          <EmptyState icon={KeyRound} title="No tokens yet" action={create}>
            A token lets a script call the API in your name, without a browser.
          </EmptyState>
        ) : (
          <TokenTable tokens={tokens} revoke={revokeTokenAction} />
        )}
      </Section>
      {(hrefs.previous || hrefs.next) && (
        <div className="mt-4">
          <Pagination {...hrefs} label="Pages of tokens" />
        </div>
      )}
    </>
  )
}
