import type { Metadata } from 'next'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'

export const metadata: Metadata = { title: 'Versions' }

export default function VersionsPage() {
  return (
    <DocsArticle title="Versions" lead="What works today in /graphql/v2 goes on working.">
      <DocsSection id="never" title="Never changed within a version">
        <Bullets>
          <li>The meaning, type or nullability of a field that is there, and the name of anything.</li>
          <li>An argument or input field does not become required.</li>
          <li>
            The codes in <Code>extensions.code</Code>, the HTTP statuses, and the form of answers.
          </li>
          <li>Which scope or role an operation takes, except to close a hole.</li>
        </Bullets>
      </DocsSection>
      <DocsSection id="added" title="Added at any time">
        <P>
          Fields, types, operations, optional arguments, enum values, keys in <Code>extensions</Code>, kinds
          of notification and webhook event, response headers: let them pass. Ids, cursors and tokens are
          opaque; their length and alphabet may change, up to 255 characters.
        </P>
      </DocsSection>
      <DocsSection id="removed" title="Taken away only after a deprecation">
        <P>
          It is written at the field, with what to use instead and a date at least twelve months ahead. Until
          then the field works unchanged; the reference and the explorer show the mark. After the date it may
          be gone at any release.
        </P>
        <P>
          A version 3 would be another path beside this one, both served for at least twelve months. The OAuth
          endpoints follow their standards: what the discovery document lists is there.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
