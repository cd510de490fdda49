import type { Metadata } from 'next'
import { WhatWasSelected } from '@/components/docs/examples'
import { FactsTable } from '@/components/docs/facts-table'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { Badge } from '@/components/ui/badge'
import { TextAnchor } from '@/components/ui/button'
import { scopeTable } from '@/lib/policy/scopes'

export const metadata: Metadata = { title: 'Scopes' }

export default function ScopesPage() {
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
      lead="What an app asks for. The person sees these sentences, and selects workspaces and projects."
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
            <Code>openid</Code> is always needed. <Code>offline_access</Code> gives a refresh token, together
            with <Code>prompt=consent</Code>.
          </li>
          <li>
            <Code>workspace:*</Code> covers the workspaces that the person selects and the projects in them;{' '}
            <Code>project:*</Code> covers the projects that are selected. Admin includes member, member
            includes viewer.
          </li>
          <li>
            A scope never gives more than the person has. The role counts at the moment of each request: an
            app with <Code>project:admin</Code> can only read when the person is a viewer there.
          </li>
          <li>Nothing selected means no access, never access to everything.</li>
          <li>
            A missing scope is an error that names it: <Code>INSUFFICIENT_SCOPE</Code> with{' '}
            <Code>requiredScope</Code>. It is never an empty list.
          </li>
          <li>Unknown scopes are ignored; the token answer says what was granted.</li>
          <li>
            The admins of an app can limit what it may ask for, under Settings, Developer. Scopes beyond are
            ignored like unknown ones. A limit counts at the next request, also for what was granted before;
            what is lifted is marked as new where people are asked again.
          </li>
        </Bullets>
      </DocsSection>
      <WhatWasSelected />
      <DocsSection id="again" title="Asking again">
        <P>
          Asking for the same or less shows no consent page again, except to native, self-registered and
          metadata-document clients. More scopes, <Code>prompt=consent</Code>, or nothing left of the
          selection ask again, with the earlier choice filled in. People change the selection or revoke the
          app under Account &gt; Authorized apps, and the next request feels it.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
