import type { Metadata } from 'next'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'

export const metadata: Metadata = { title: 'Versions' }

export default function VersionsPage() {
  return (
    <DocsArticle title="Versions" lead="What works in /graphql/v2 today keeps working.">
      <DocsSection id="never" title="Never changed within a version">
        <Bullets>
          <li>The meaning, type, or nullability of an existing field, and any name.</li>
          <li>Whether an argument or input field is optional. Optional ones never become required.</li>
          <li>
            The codes in <Code>extensions.code</Code>, the HTTP statuses, and the structure of responses.
          </li>
          <li>The scope or role that an operation requires, except to fix a security problem.</li>
        </Bullets>
      </DocsSection>
      <DocsSection id="added" title="Added at any time">
        <P>
          We can add fields, types, operations, optional arguments, enum values, keys in{' '}
          <Code>extensions</Code>, kinds of notifications and webhook events, and response headers at any
          time. Ignore anything that you don’t recognize. IDs, cursors, and tokens are opaque. Their length
          and character set can change, but they never exceed 255 characters.
        </P>
      </DocsSection>
      <DocsSection id="removed" title="Removed only after deprecation">
        <P>
          A deprecated field’s description states the replacement and a date at least twelve months ahead.
          Until then, the field works unchanged, and the reference and the explorer mark it as deprecated.
          After that date, any release can remove it.
        </P>
        <P>
          A version 3 would have its own path. Both versions would be available for at least twelve months.
          The OAuth endpoints follow the OAuth and OpenID Connect standards. The discovery document lists the
          supported features.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
