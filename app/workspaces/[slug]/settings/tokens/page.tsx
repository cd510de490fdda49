import { KeyRound } from 'lucide-react'
import type { Metadata } from 'next'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { TokenTable } from '@/components/api-tokens/token-table'
import { GoButton } from '@/components/forms/go-button'
import { roleNames } from '@/components/members/role-select'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Pagination } from '@/components/ui/pagination'
import { Stack } from '@/components/ui/stack'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { displayToken } from '@/lib/features/api-tokens/list-api-tokens'
import { listWorkspaceTokens } from '@/lib/features/api-tokens/list-workspace-tokens'
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
  const page = pageOf(await searchParams)
  const { rows, ...sides } = await orNotFound(listWorkspaceTokens(actor, workspace.id, page))
  const hrefs = pageHrefs(path, {}, rows, sides)
  const tokens = rows.map(({ user, project, role, ...token }) => ({
    ...token,
    display: displayToken(token),
    reach: project ? `Project ${project.name}` : 'Workspace',
    role: roleNames[role],
    by: user.name,
  }))
  const create = <GoButton href={`${path}/new`}>New token</GoButton>
  return (
    <Stack>
      <Section
        title="Tokens of this workspace"
        description="Made for the workspace or for one of its projects. Each acts for whoever made it, as far as its role goes."
        action={tokens.length > 0 ? create : undefined}
        flush
      >
        {tokens.length === 0 ? (
          <EmptyState icon={KeyRound} title="No tokens yet" action={create}>
            A workspace token lets a script call the API for this workspace and nothing else.
          </EmptyState>
        ) : (
          <TokenTable tokens={tokens} reach="Reaches" revoke={revokeWorkspaceTokenAction} />
        )}
      </Section>
      {(hrefs.previous || hrefs.next) && <Pagination {...hrefs} label="Pages of tokens" />}
    </Stack>
  )
}
