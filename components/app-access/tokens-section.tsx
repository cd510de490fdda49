import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { type ListedToken, TokenTable } from '../api-tokens/token-table'
import { Section } from '../ui/card'
import { counted } from '../ui/counted'
import { TextLink } from '../ui/text-link'

/** Tokens that reach into a workspace beside its apps: the first few, how many there are, and where all of them stand. */
export function TokensSection({
  tokens,
  total,
  account,
  href,
  revoke,
}: {
  tokens: ListedToken[]
  /** How many there are of this workspace and its projects. */
  total: number
  /** Account tokens of members, which are told by their number alone. */
  account: { tokens: number; people: number }
  href: string
  revoke: FormAction
}) {
  return (
    <Section
      title="Tokens that reach in"
      description={`Made by members themselves: no policy for apps concerns them. ${
        account.tokens > 0
          ? `${counted(account.tokens, 'account token', 'account tokens')} of ${counted(account.people, 'member', 'members')} reach in as well, as far as their makers do.`
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
        <TokenTable tokens={tokens} reach="Can reach" revoke={revoke} />
      ) : (
        <p className="px-4 py-4 text-muted sm:px-6">No token is made for this workspace or its projects.</p>
      )}
    </Section>
  )
}
