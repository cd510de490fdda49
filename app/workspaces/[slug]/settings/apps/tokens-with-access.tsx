import { listedToken } from '@/components/api-tokens/token-table'
import { TokensSection } from '@/components/app-access/tokens-section'
import { accountTokensWithAccess, searchWorkspaceTokens } from '@/lib/features/api-tokens/search-tokens'
import type { Actor } from '@/lib/policy/actor'
import { revokeWorkspaceTokenAction } from '../tokens/actions'

/**
 * Lists the first five tokens of a workspace and its projects, with their total number and a link to the
 * complete list. Account tokens of members are only counted.
 */
export async function TokensWithAccess({
  actor,
  workspaceId,
  href,
}: {
  actor: Actor
  workspaceId: string
  /** The path of the page that lists all the tokens. */
  href: string
}) {
  const [tokens, account] = await Promise.all([
    searchWorkspaceTokens(actor, workspaceId, '', { number: 1, size: 5 }),
    accountTokensWithAccess(actor, workspaceId),
  ])
  return (
    <TokensSection
      tokens={tokens.rows.map(listedToken)}
      total={tokens.total}
      account={account}
      href={href}
      revoke={revokeWorkspaceTokenAction}
    />
  )
}
