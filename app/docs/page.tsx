import { Bullets, DocsArticle, DocsSection, MenuPath, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { readBrand } from '../brand'

export default function DocsOverview() {
  const { serviceName } = readBrand()
  return (
    <DocsArticle
      title="Documentation"
      lead={`Sign users in with ${serviceName}, and call the API on their behalf or for yourself.`}
    >
      <DocsSection id="how" title="How it fits together">
        <P>
          There is one API: GraphQL at <TextAnchor href="/docs/graphql">/graphql/v2</TextAnchor>. Requests are
          authenticated with a token. There are two kinds of tokens:
        </P>
        <Bullets>
          <li>
            <strong>API tokens</strong>: users create them under <MenuPath>Account &gt; Tokens</MenuPath> for
            their own scripts.
          </li>
          <li>
            <strong>OAuth access tokens</strong>: an app gets them after a user authorizes it. They give
            access to the workspaces and projects that the user selected. Any OAuth 2.0 or OpenID Connect
            client works without changes.
          </li>
        </Bullets>
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
