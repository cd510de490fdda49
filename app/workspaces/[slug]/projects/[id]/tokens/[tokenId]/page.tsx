import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { RevokeTokenSection } from '@/components/api-tokens/revoke-token'
import { ButtonLink } from '@/components/ui/link'
import { orRefused } from '@/lib/edges/web/console/or-not-found'
import { displayToken } from '@/lib/features/api-tokens/list-api-tokens'
import { requireProjectToken } from '@/lib/features/api-tokens/revoke-api-token'
import { openProject } from '../../../open-project'
import { revokeProjectTokenAction } from '../actions'

export const metadata: Metadata = { title: 'Token' }

type Props = { params: Promise<{ slug: string; id: string; tokenId: string }> }

/**
 * The page on which admins revoke a token if JavaScript is disabled. With JavaScript, the list opens a dialog
 * instead.
 */
export default async function ProjectTokenPage({ params }: Props) {
  const { tokenId } = await params
  const { actor, project, address } = await openProject(params, `/tokens/${tokenId}`, 'project:manage-tokens')
  const found = await orRefused(requireProjectToken(actor, tokenId))
  const list = `${address}/tokens`
  if (!found) return <ButtonLink href={list}>All tokens</ButtonLink>
  if (found.token.projectId !== project.id) notFound()
  const { id, name, role, lastUsedAt } = found.token
  return (
    <RevokeTokenSection
      token={{ id, name, display: displayToken(found.token), role, lastUsedAt }}
      back={list}
      revoke={revokeProjectTokenAction}
    />
  )
}
