import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { FactsTable } from '@/components/docs/facts-table'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
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
    <DocsArticle title="Tokens" lead="What there is, how long it lives, and how to renew or end it.">
      <DocsSection id="lifetimes" title="Kinds and lifetimes">
        <FactsTable
          caption="Kinds of tokens"
          columns={['What', 'Looks like', 'Lives', 'For']}
          rows={describeTokens(lifetimes).map(({ what, prefix, lives, purpose }) => ({
            id: what.toLowerCase().replaceAll(' ', '-'),
            cells: [what, prefix ? <Code key="prefix">{prefix}…</Code> : 'a JWT', lives, purpose],
          }))}
        />
        <P>
          Tokens are random and opaque: read nothing from them. The prefix lets secret scanners find a leaked
          one. We keep hashes only, so a lost token cannot be shown again.
        </P>
      </DocsSection>
      <DocsSection id="api-tokens" title="API tokens">
        <P>
          Make one under Account &gt; Tokens: for all your workspaces, for one, or for one project that you
          administer. It acts for you, with your current role, capped by the role you choose for it. An
          account token with such a limit reads and (as a member) writes like you, but does not manage the
          account: no tokens, SSH keys, sessions, apps or new workspaces. A token or client secret that an
          expiring token creates expires with it, or earlier. A project token can also be sent as{' '}
          <Code>Project-Access-Token</Code>.
        </P>
        <CodeBlock title="A request with a token" code={graphqlSnippet(values)} />
      </DocsSection>
      <DocsSection id="two-factor-methods" title="Second factors">
        <P>
          An account token without a limit changes how you sign in:{' '}
          <TextAnchor href="/docs/reference/account">
            passkeys, authenticator app and recovery codes
          </TextAnchor>
          . Each change waits for your word, as a stolen token must not take your account.
        </P>
        <Bullets>
          <li>
            The first request is answered <Code>APPROVAL_REQUIRED</Code> with an <Code>approvalUrl</Code>,
            which is among your notifications too. Nothing was done.
          </li>
          <li>
            The page says which token wants what. To approve takes a sign-in of the last 15 minutes, with your
            second factor if you have one, and your password. Deny what you did not begin yourself, and revoke
            that token.
          </li>
          <li>
            Send the same request again within ten minutes, from the same address: it is done, once. It counts
            for this token and this change alone, and ends with the browser session in which you approved it.
            Until then you can still deny it on its page.
          </li>
          <li>
            <Code>authenticatorAppCreate</Code> gives the key of the app; show its <Code>uri</Code> as a QR
            code, and send the first code by <Code>authenticatorAppVerify</Code> within 15 minutes. That takes
            no second approval.
          </li>
          <li>
            A passkey is added under Account &gt; Security: only a browser on our pages can make one. Apps,
            tools of <Code>/mcp</Code> and all other tokens change no second factor.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="refresh" title="Refreshing">
        <CodeBlock title="A new access token" code={refreshSnippet(values)} />
        <Bullets>
          <li>
            A refresh token takes the scope <Code>offline_access</Code> on a consent page: in the browser that
            is a request with <Code>prompt=consent</Code>, and the scope is dropped without it; in the device
            flow the page is always shown, so the scope is enough.
          </li>
          <li>Native and self-registered apps get a new refresh token with every use; keep it at once.</li>
          <li>Web apps get a new one when most of its life is over.</li>
          <li>
            Lost the answer? Sending the same refresh token again within 30 seconds gives the same answer.
            Later it counts as stolen: the authorization ends, and the person is told.
          </li>
          <li>
            Parallel refreshes are safe: one new pair of tokens comes into being, and all of them get it.
          </li>
          <li>
            A line of refresh tokens that came of one another ends when the table says so, however often it is
            used: send the person through <Code>/oauth/auth</Code> once more then.
          </li>
          <li>An authorization holds at most 100 live refresh tokens; the oldest goes first.</li>
        </Bullets>
      </DocsSection>
      <DocsSection id="check" title="Checking">
        <CodeBlock title="Who is the person" code={userInfoSnippet(values)} />
        <CodeBlock title="Check a token" code={introspectSnippet(values)} />
        <P>
          The <Code>id_token</Code> of a sign-in carries <Code>sub</Code> and what the granted scopes allow:{' '}
          <Code>email</Code> and <Code>email_verified</Code> with <Code>email</Code>, <Code>name</Code> and{' '}
          <Code>picture</Code> with <Code>profile</Code>. The one that comes with a refresh carries{' '}
          <Code>sub</Code>; ask <Code>/oauth/me</Code> for the rest. Verify it with the keys at{' '}
          <Code>/oauth/jwks</Code>. The <Code>claims</Code> parameter gives nothing whose scope was not
          granted.
        </P>
        <P>
          Ask with <Code>acr_values</Code> whether two factors were shown: <Code>acr</Code> then has one of
          the two values that the metadata lists in <Code>acr_values_supported</Code>.
        </P>
      </DocsSection>
      <DocsSection id="end" title="Ending">
        <P>
          Revoking a refresh token ends the access tokens that came from it. Nothing is cached: it counts at
          once.
        </P>
        <CodeBlock title="Sign out" code={revokeSnippet(values)} />
      </DocsSection>
      <DocsSection id="dpop" title="Binding to a key">
        <P>
          Send a <Code>DPoP</Code> proof (RFC 9449) at <Code>/oauth/token</Code> and the tokens work only with
          proofs of the same key, at <Code>/oauth/me</Code> and <Code>/graphql/v2</Code> alike.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
