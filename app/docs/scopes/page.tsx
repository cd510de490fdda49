import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { SelectionDocs } from '@/components/docs/examples'
import { FactsTable } from '@/components/docs/facts-table'
import { Bullets, Code, DocsArticle, DocsSection, MenuPath, P } from '@/components/docs/prose'
import { Badge } from '@/components/ui/badge'
import { TextAnchor } from '@/components/ui/button'
import type { Api } from '@/lib/features/resources/apis'
import { scopeTable } from '@/lib/policy/scopes'

export const metadata: Metadata = { title: 'Scopes' }

export default function ScopesPage({ apis = [] }: { apis?: readonly Api[] }) {
  const rows = Object.entries(scopeTable).map(([name, { sentence, dangerous }]) => ({
    id: name,
    cells: [
      <Code key="name">{name}</Code>,
      sentence,
      dangerous ? (
        <Badge key="mark" tone="warning">
          Marked on the consent page
        </Badge>
      ) : null,
    ],
  }))
  return (
    <DocsArticle
      title="Scopes"
      lead="The access that an app can request. Users see these descriptions on the consent page and select workspaces and projects there."
    >
      <DocsSection id="all" title="All scopes">
        <FactsTable caption="Scopes" columns={['Scope', 'What it allows', '']} rows={rows} />
        <P>
          The authoritative list is <Code>scopes_supported</Code> in{' '}
          <TextAnchor href="/oauth/.well-known/openid-configuration">the discovery document</TextAnchor>.
        </P>
      </DocsSection>
      <DocsSection id="rules" title="How they work">
        <Bullets>
          <li>
            <Code>openid</Code> is required. <Code>offline_access</Code> with <Code>prompt=consent</Code>{' '}
            returns a refresh token.
          </li>
          <li>
            <Code>workspace:*</Code> covers the workspaces that the user selects, including all their
            projects. <Code>project:*</Code> covers the selected projects. The admin scopes include the member
            scopes, and the member scopes include the viewer scopes.
          </li>
          <li>
            A scope never gives an app more access than the user has. The user’s role is checked at each
            request. If the user is a viewer, an app with <Code>project:admin</Code> can only read.
          </li>
          <li>If the user selects no workspaces or projects, the app can’t access any.</li>
          <li>
            If a scope is missing, the API returns the error <Code>INSUFFICIENT_SCOPE</Code> with{' '}
            <Code>requiredScope</Code>, never an empty list.
          </li>
          <li>Unknown scopes are ignored. The token response lists the granted scopes.</li>
          <li>
            An app’s admins can limit its scopes under <MenuPath>Settings &gt; Developer</MenuPath>. Other
            scopes in its requests are ignored. The limit takes effect at the app’s next request, even for
            access that users already granted. If you remove the limit, the consent page marks the additional
            scopes as new.
          </li>
        </Bullets>
      </DocsSection>
      <SelectionDocs />
      <DocsSection id="apis" title="Scopes of other APIs">
        <P>
          Instance admins can register other APIs on the platform. Each API has its own scopes. The discovery
          document lists all scopes, and your app’s settings group them by API under Allowed scopes. To
          request an API’s scopes, send its identifier as <Code>resource</Code>:
        </P>
        <CodeBlock
          title="Parameters of the authorization request"
          language="text"
          code="resource=https://deployments.example.com&scope=openid deployments:write"
        />
        <P>
          The access token works only for this API. <Code>authorization_details</Code> in the token response
          lists the workspaces and projects that the user selected, and the user’s role in each.
        </P>
        {apis.map(({ id, name, identifier, scopes }) => (
          <FactsTable
            key={id}
            caption={`${name}: ${identifier}`}
            columns={[`Scope of ${name}`, 'What it allows', 'resource']}
            rows={scopes.map((scope) => ({
              id: scope.name,
              cells: [
                <Code key="name">{scope.name}</Code>,
                scope.description,
                <Code key="resource">{identifier}</Code>,
              ],
            }))}
          />
        ))}
      </DocsSection>
      <DocsSection id="again" title="Request consent again">
        <P>
          If an app requests the same scopes as before, or fewer, users don’t see the consent page again.
          Users of native apps, self-registered apps, and clients with a metadata document see it every time.
          The page is also shown if the app requests more scopes or sends <Code>prompt=consent</Code>, or if
          no workspace or project is selected. The user’s earlier choices are filled in. Users can change the
          selection or revoke the app under <MenuPath>Account &gt; Authorized apps</MenuPath>. Changes take
          effect at the app’s next request.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
