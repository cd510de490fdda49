import type { Metadata } from 'next'
import { RevokeTokenSection } from '@/components/api-tokens/revoke-token'
import { PageHeader } from '@/components/frame/page-header'
import { orRefused } from '@/lib/edges/web/console/or-not-found'
import { requireSession } from '@/lib/edges/web/current-session'
import { displayToken } from '@/lib/features/api-tokens/list-api-tokens'
import { requireOwnToken } from '@/lib/features/api-tokens/revoke-api-token'
import { revokeTokenAction } from '../actions'

export const metadata: Metadata = { title: 'Token' }

const list = '/account/tokens'
const trail = [{ label: 'Tokens', href: list }]

/**
 * The page on which users revoke a token if JavaScript is disabled. With JavaScript, the list opens a dialog
 * instead.
 */
export default async function TokenPage({ params }: { params: Promise<{ tokenId: string }> }) {
  const { tokenId } = await params
  const { actor } = await requireSession(`${list}/${tokenId}`)
  const found = await orRefused(requireOwnToken(actor, tokenId))
  if (!found) return <PageHeader title="Token" trail={trail} />
  const { id, name, role, lastUsedAt } = found.token
  const display = displayToken(found.token)
  return (
    <>
      <PageHeader title={name} trail={trail} description={<span className="font-mono">{display}</span>} />
      <RevokeTokenSection
        token={{ id, name, display, role, lastUsedAt }}
        back={list}
        revoke={revokeTokenAction}
      />
    </>
  )
}
