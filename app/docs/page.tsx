import { DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { readBrand } from '../brand'

export default function DocsOverview() {
  const { serviceName } = readBrand()
  return (
    <DocsArticle
      title="Documentation"
      lead={`Sign people in with ${serviceName}, and call the API for them or for yourself.`}
    >
      <DocsSection id="how" title="How it fits together">
        <P>
          There is one API: GraphQL at <TextAnchor href="/docs/graphql">/graphql/v2</TextAnchor>. Every call
          carries a token. A token comes from one of two places:
        </P>
        <P>
          <strong>API tokens</strong> are made by a person under Account &gt; Tokens, for scripts of their
          own. <strong>OAuth access tokens</strong> are given to an app after a person has agreed, for the
          workspaces and projects that person selected. Any OAuth 2.0 or OpenID Connect client works as it is.
        </P>
      </DocsSection>
      {docsNavigation.slice(1).map((group) => (
        <DocsSection key={group.title} id={group.title.toLowerCase()} title={group.title}>
          <ul className="grid gap-3 sm:grid-cols-2">
            {group.pages.map(({ title, href, summary }) => (
              <li key={href}>
                <Card className="relative grid h-full content-start gap-1 p-4 hover:bg-hover">
                  <TextAnchor href={href} className="font-medium after:absolute after:inset-0">
                    {title}
                  </TextAnchor>
                  <p className="text-muted text-sm">{summary}</p>
                </Card>
              </li>
            ))}
          </ul>
        </DocsSection>
      ))}
    </DocsArticle>
  )
}
