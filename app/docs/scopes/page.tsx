import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { SelectionDocs } from '@/components/docs/examples'
import { FactsTable } from '@/components/docs/facts-table'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
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
      lead="The access an app can request. Users see these descriptions and select workspaces and projects."
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
            <Code>workspace:*</Code> covers the workspaces that the user selects and their projects.{' '}
            <Code>project:*</Code> covers the selected projects. Admin includes member, and member includes
            viewer.
          </li>
          <li>
            A scope never gives an app more access than the user has. The role is checked at each request: an
            app with <Code>project:admin</Code> can only read if the user is a viewer.
          </li>
          <li>If nothing is selected, the app has no access.</li>
          <li>
            If a scope is missing, the API returns the error <Code>INSUFFICIENT_SCOPE</Code> with{' '}
            <Code>requiredScope</Code>, never an empty list.
          </li>
          <li>Unknown scopes are ignored. The token response lists the granted scopes.</li>
          <li>
            An app’s admins can limit its scopes under Settings &gt; Developer. Other scopes are ignored. A
            limit applies from the next request, including to access that users already granted. If you lift
            the limit, the consent page marks the scopes as new.
          </li>
        </Bullets>
      </DocsSection>
      <SelectionDocs />
      <DocsSection id="apis" title="Scopes of other APIs">
        <P>
          Instance admins can register other APIs of the platform. Each API has its own scopes. They are
          listed in the discovery document and, by API, in your app’s settings under Allowed scopes. To
          request them, send the API’s identifier as <Code>resource</Code>:
        </P>
        <CodeBlock
          title="Parameters of the authorization request"
          language="text"
          code="resource=https://deployments.example.com&scope=openid deployments:write"
        />
        <P>
          The access token works only at this API. <Code>authorization_details</Code> in the token response
          lists the workspaces and projects that the user selected, with the user’s role.
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
          If an app requests the same or fewer scopes, no consent page is shown, except for native,
          self-registered, and metadata-document clients. The page is shown again if the app requests more
          scopes or sends <Code>prompt=consent</Code>, or if nothing is selected. Earlier choices are filled
          in. Users can change the selection or revoke the app under Account &gt; Authorized apps. Changes
          apply from the next request.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
