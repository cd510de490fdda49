import { TextAnchor } from '../ui/text-anchor'
import { Code, DocsSection, P } from './prose'

/** How an app learns which workspaces and projects it was given, and what changes them. */
export const WhatWasSelected = () => (
  <DocsSection id="selected" title="What was selected">
    <P>
      The API says it, not the token. <Code>{'{ me { workspaces { id name } } }'}</Code> lists the selected
      workspaces (with a <Code>workspace:*</Code> scope), and{' '}
      <Code>{'{ projects { edges { node { id name } } } }'}</Code> every project the token reaches. When the
      person changes the selection, the same tokens reach the new one from the next request on: lists shrink
      or grow, and what is no longer shared answers <Code>RESOURCE_NOT_SHARED</Code>. When the person revokes
      the app, every token of it is dead: <Code>UNAUTHENTICATED</Code>, and <Code>invalid_grant</Code> on
      refresh. A <TextAnchor href="/docs/webhooks">webhook</TextAnchor> of a workspace that was selected hears
      of that as <Code>app.revoked</Code>.
    </P>
  </DocsSection>
)
