import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { type ListedToken, TokenTable } from '../api-tokens/token-table'
import { Section } from '../ui/card'
import { counted } from '../ui/formats'
import { TextLink } from '../ui/link'

/**
 * Lists some of the API tokens for a workspace and its projects, and links to the complete list. Shows only
 * the number of account tokens with access.
 */
export function TokensSection({
  tokens,
  total,
  account,
  href,
  revoke,
}: {
  tokens: ListedToken[]
  /** The number of tokens of this workspace and its projects. */
  total: number
  /** The number of account tokens with access, and the number of members who have them. */
  account: { tokens: number; users: number }
  href: string
  revoke: FormAction
}) {
  return (
    <Section
      title="Tokens with access"
      description={`Members’ API tokens. The app policy doesn’t apply to them. ${
        account.tokens > 0
          ? `${counted(account.users, 'member has', 'members have')} ${
              account.tokens === 1 ? 'an account token that also has' : 'account tokens that also have'
            } access.`
          : 'No member has an account token.'
      }`}
      action={
        <TextLink href={href}>
          {total > tokens.length ? `All ${total.toLocaleString('en')} tokens` : 'Tokens'}
        </TextLink>
      }
      flush
    >
      {tokens.length > 0 ? (
        <TokenTable tokens={tokens} reach="Resources" listHref={href} revoke={revoke} />
      ) : (
        <p className="px-4 py-4 text-muted">No tokens for this workspace or its projects.</p>
      )}
    </Section>
  )
}
