import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { RevokeTokenSection } from '@/components/api-tokens/revoke-token'
import { PageHeader } from '@/components/frame/page-header'
import { orRefused } from '@/lib/edges/web/console/or-not-found'
import { displayToken } from '@/lib/features/api-tokens/list-api-tokens'
import { requireWorkspaceToken } from '@/lib/features/api-tokens/revoke-api-token'
import { revokeWorkspaceTokenAction } from '../actions'

export const metadata: Metadata = { title: 'Token' }

type Props = { params: Promise<{ slug: string; tokenId: string }> }

/**
 * The page on which admins revoke a token if JavaScript is disabled. With JavaScript, the list opens a dialog
 * instead.
 */
export default async function WorkspaceTokenPage({ params }: Props) {
  const { slug, tokenId } = await params
  const below = `/settings/tokens/${tokenId}`
  const { actor, workspace, home } = await openWorkspace(slug, below, 'workspace:manage-tokens')
  const list = `${home}/settings/tokens`
  const trail = [{ label: 'Tokens', href: list }]
  const found = await orRefused(requireWorkspaceToken(actor, tokenId))
  if (!found) return <PageHeader title="Token" trail={trail} />
  if (found.workspaceId !== workspace.id) notFound()
  const { id, name, role, lastUsedAt } = found.token
  const display = displayToken(found.token)
  return (
    <>
      <PageHeader title={name} trail={trail} description={<span className="font-mono">{display}</span>} />
      <RevokeTokenSection
        token={{ id, name, display, role, lastUsedAt }}
        back={list}
        revoke={revokeWorkspaceTokenAction}
      />
    </>
  )
}
