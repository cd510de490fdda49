import type { Metadata } from 'next'
import { PointPrices } from '@/components/docs/examples'
import { FactsTable } from '@/components/docs/facts-table'
import { Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { describeLimits, type Limit } from '@/lib/features/docs/limits'

export const metadata: Metadata = { title: 'Limits' }

export default function LimitsPage() {
  const { graphql, oauth } = describeLimits()
  return (
    <DocsArticle
      title="Limits"
      lead="Rate and size limits. Responses to requests with a token show how many requests you have left."
    >
      <DocsSection id="graphql" title="GraphQL">
        <Limits caption="Limits of the GraphQL API" limits={graphql} />
        <P>
          Every response to a request with a token includes these headers: <Code>X-RateLimit-Limit</Code>,{' '}
          <Code>X-RateLimit-Remaining</Code>, and <Code>X-RateLimit-Reset</Code> (a Unix timestamp).
        </P>
      </DocsSection>
      <DocsSection id="points" title="How points are counted">
        <PointPrices />
      </DocsSection>
      <DocsSection id="oauth" title="OAuth and sign-in">
        <Limits caption="Limits of OAuth and sign-in" limits={oauth} />
        <P>
          For the lifetimes of codes and tokens, see{' '}
          <a href="/docs/tokens#lifetimes" className="text-link underline">
            Tokens
          </a>
          .
        </P>
      </DocsSection>
    </DocsArticle>
  )
}

const Limits = ({ caption, limits }: { caption: string; limits: Limit[] }) => (
  <FactsTable
    caption={caption}
    columns={['Subject', 'Limit', 'When exceeded']}
    rows={limits.map(({ what, value, answer }) => ({
      id: what.toLowerCase().replaceAll(' ', '-'),
      cells: [what, value, answer],
    }))}
  />
)
