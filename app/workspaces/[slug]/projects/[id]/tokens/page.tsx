import { KeyRound } from 'lucide-react'
import type { Metadata } from 'next'
import { TokenTable } from '@/components/api-tokens/token-table'
import { GoButton } from '@/components/forms/go-button'
import { roleNames } from '@/components/members/role-select'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Pagination } from '@/components/ui/pagination'
import { Stack } from '@/components/ui/stack'
import { parsePage } from '@/lib/base/db/keyset'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { displayToken, listProjectTokens } from '@/lib/features/api-tokens/list-api-tokens'
import { namePeople } from '@/lib/features/identity/people/name-people'
import { listEnvironments } from '@/lib/features/projects/environments/list-environments'
import { openProject } from '../../open-project'
import { revokeProjectTokenAction } from './actions'

export const metadata: Metadata = { title: 'Tokens' }

type Props = { params: Promise<{ slug: string; id: string }>; searchParams: Promise<SearchParams> }

export default async function ProjectTokensPage({ params, searchParams }: Props) {
  const { actor, project, address } = await openProject(params, '/tokens', 'project:manage-tokens')
  const { rows, ...sides } = await listProjectTokens(actor, project.id, pageOf(await searchParams))
  const { rows: environments } = await listEnvironments(actor, project.id, parsePage({ first: 100 }))
  const names = new Map(environments.map(({ id, name }) => [id, name]))
  const hrefs = pageHrefs(`${address}/tokens`, {}, rows, sides)
  const tokens = (await namePeople(rows)).map(({ role, ...token }) => ({
    ...token,
    display: displayToken(token),
    reach: token.environmentId ? `${roleNames[role]}, ${names.get(token.environmentId)}` : roleNames[role],
    by: token.person ?? undefined,
  }))
  const create = <GoButton href={`${address}/tokens/new`}>New token</GoButton>
  return (
    <Stack>
      <Section
        title="Project tokens"
        description="For deployments and services that work on this project alone. Each acts for whoever made it."
        action={tokens.length > 0 ? create : undefined}
        flush
      >
        {tokens.length === 0 ? (
          <EmptyState icon={KeyRound} title="No tokens yet" action={create}>
            A project token lets a script call the API for this project and nothing else.
          </EmptyState>
        ) : (
          <TokenTable tokens={tokens} reach="Role" revoke={revokeProjectTokenAction} />
        )}
      </Section>
      {(hrefs.previous || hrefs.next) && <Pagination {...hrefs} label="Pages of tokens" />}
    </Stack>
  )
}
