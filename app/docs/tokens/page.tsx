import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { FactsTable } from '@/components/docs/facts-table'
import { Bullets, Code, DocsArticle, DocsSection, MenuPath, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { lifetimes } from '@/lib/edges/oauth/protocol/security-profile'
import {
  graphqlSnippet,
  introspectSnippet,
  refreshSnippet,
  revokeSnippet,
  userInfoSnippet,
} from '@/lib/features/docs/snippets/curl'
import { describeTokens } from '@/lib/features/docs/token-lifetimes'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Tokens' }

export default function TokensPage() {
  const values = readSnippetValues()
  return (
    <DocsArticle title="Tokens" lead="Token types, lifetimes, refresh, and revocation.">
      <DocsSection id="lifetimes" title="Kinds and lifetimes">
        <FactsTable
          caption="Kinds of tokens"
          columns={['Type', 'Prefix or format', 'Lifetime', 'Purpose']}
          rows={describeTokens(lifetimes).map(({ what, prefix, lives, purpose }) => ({
            id: what.toLowerCase().replaceAll(' ', '-'),
            cells: [what, prefix ? <Code key="prefix">{prefix}…</Code> : 'a JWT', lives, purpose],
          }))}
        />
        <P>
          Except for ID tokens and the JWT access tokens of registered APIs, tokens are random and opaque.
          Secret scanners recognize them by their prefix. We store only hashes of tokens, so we can’t show a
          lost token again.
        </P>
      </DocsSection>
      <DocsSection id="api-tokens" title="API tokens">
        <P>
          Create one under <MenuPath>Account &gt; Tokens</MenuPath>: for all your workspaces, for one
          workspace, or for one project that you administer. It acts as you, with the lower of your role and
          the role you choose. An account token limited to the viewer role can only read, and it can’t read
          the values of variables. One limited to the member role can also make changes where your own role
          allows them. Neither can manage your tokens, SSH keys, sessions, or apps, or create workspaces. A
          token or client secret that you create with an expiring token expires no later than that token. You
          can also send a project token as <Code>Project-Access-Token</Code>.
        </P>
        <CodeBlock title="A request with a token" code={graphqlSnippet(values)} />
      </DocsSection>
      <DocsSection id="two-factor-methods" title="Two-factor authentication">
        <P>
          An account token without a limit can change how you sign in:{' '}
          <TextAnchor href="/docs/reference/account">
            passkeys, authenticator app, and recovery codes
          </TextAnchor>
          . Each change requires your approval, so that no one can take over your account with a stolen token.
        </P>
        <Bullets>
          <li>
            The first request returns <Code>APPROVAL_REQUIRED</Code> with an <Code>approvalUrl</Code>, which
            is also in your notifications. Nothing is changed.
          </li>
          <li>
            The page shows the token and the change. To approve the change, enter your password. You must have
            signed in within the last 15 minutes, with two-factor authentication if it’s set up. If you didn’t
            start the request, deny it and revoke the token.
          </li>
          <li>
            Send the same request again within ten minutes, from the same IP address. It’s executed once. The
            approval is valid only for this token and this change. It expires when the browser session in
            which you approved it ends. Until it’s used, you can revoke it on the request’s page.
          </li>
          <li>
            <Code>authenticatorAppCreate</Code> returns the key of the authenticator app. Show its{' '}
            <Code>uri</Code> as a QR code, then send the first code with <Code>authenticatorAppVerify</Code>{' '}
            within 15 minutes. This request needs no second approval.
          </li>
          <li>
            You can add passkeys only in a browser, under <MenuPath>Account &gt; Security</MenuPath>. Apps,{' '}
            <Code>/mcp</Code> tools, and all other kinds of tokens can’t change two-factor methods.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="refresh" title="Refreshing">
        <CodeBlock title="A new access token" code={refreshSnippet(values)} />
        <Bullets>
          <li>
            To get a refresh token, request the scope <Code>offline_access</Code>. In the authorization code
            flow, also send <Code>prompt=consent</Code>, or the scope is ignored. In the device flow, the
            scope is enough because the consent page is always shown.
          </li>
          <li>
            Native and self-registered apps get a new refresh token with every use. Store it immediately.
          </li>
          <li>Web apps get a new refresh token once 70 percent of the old one’s lifetime has passed.</li>
          <li>
            If you don’t receive the response, send the same refresh token again within 30 seconds to get the
            same response. After that, using the old token is treated as theft: the authorization is revoked
            and the user is notified.
          </li>
          <li>Parallel refreshes are safe: all of them get the same new pair of tokens.</li>
          <li>
            Rotating a refresh token doesn’t extend its total lifetime, which is listed in the table. After
            that time, send the user through <Code>/oauth/auth</Code> again.
          </li>
          <li>
            An authorization can have up to 100 active refresh tokens. When the limit is exceeded, the oldest
            one is revoked.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="check" title="Checking">
        <CodeBlock title="Get the user" code={userInfoSnippet(values)} />
        <CodeBlock title="Check a token" code={introspectSnippet(values)} />
        <P>
          The ID token from a sign-in contains <Code>sub</Code> and the claims of the granted scopes:{' '}
          <Code>email</Code> and <Code>email_verified</Code> with <Code>email</Code>, <Code>name</Code> and{' '}
          <Code>picture</Code> with <Code>profile</Code>. The ID token from a refresh contains only{' '}
          <Code>sub</Code>. Get the other claims from <Code>/oauth/me</Code>. Verify ID tokens with the keys
          at <Code>/oauth/jwks</Code>. The <Code>claims</Code> parameter returns only claims of granted
          scopes.
        </P>
        <P>
          Send <Code>acr_values</Code> to learn whether the user signed in with two-factor authentication.{' '}
          <Code>acr</Code> then has one of the two values of <Code>acr_values_supported</Code> in the
          metadata.
        </P>
      </DocsSection>
      <DocsSection id="end" title="Revocation">
        <P>
          Revoking a refresh token also revokes its access tokens. Revocation takes effect immediately, except
          that a registered API’s JWT access tokens work until they expire.
        </P>
        <CodeBlock title="Sign out" code={revokeSnippet(values)} />
      </DocsSection>
      <DocsSection id="dpop" title="Bind tokens to a key">
        <P>
          Send a <Code>DPoP</Code> proof (RFC 9449) at <Code>/oauth/token</Code>. At <Code>/oauth/me</Code>{' '}
          and <Code>/graphql/v2</Code>, the tokens then work only with proofs signed with the same key.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
