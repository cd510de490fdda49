import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { assertionClaimsSnippet, redeemSnippet } from '@/lib/features/docs/snippets/integrations'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Single sign-on' }

export default function SsoDocsPage() {
  const { baseUrl } = readSnippetValues()
  return (
    <DocsArticle
      title="Single sign-on"
      lead="Connect a workspace to your identity provider. Users sign in through it, and it sends agents and apps that act for them without a consent page."
    >
      <DocsSection id="admins" title="For admins">
        <P>
          Under Settings, Single sign-on, enter your OpenID provider and the domain of your users’ email
          addresses. Add the TXT record that the page shows to your DNS, and check it. The connection works
          once the domain is verified. The record is checked every day. If it is missing, the domain stays
          verified for seven more days.
        </P>
        <Bullets>
          <li>
            The provider covers only accounts with an address in this domain. It covers no instance admins of
            this service. A verified domain belongs to one workspace.
          </li>
          <li>
            Allow each SSO-managed app by its client ID. It must be an OAuth app with a secret or a key.
            Select the scopes it can have at most. It never gets more access than the user’s own role. Your{' '}
            <TextAnchor href="/docs/apps-in-workspaces">app policy</TextAnchor> applies too: if only approved
            apps are allowed, also approve the app. Until then its assertions are refused, and its page under
            Settings, Apps says so.
          </li>
          <li>
            An app can act only for members of the workspace with a verified address in the domain. It does
            not add members.
          </li>
          <li>
            Access ends at the next request when you remove the app, the provider or the user, when you block
            the app, or when the user changes to an address outside the domain or becomes an instance admin of
            this service. It ends within an hour when the provider issues no new assertion for the user.
          </li>
          <li>
            If the workspace requires two-factor authentication, the provider must include <Code>mfa</Code> in{' '}
            <Code>amr</Code>.
          </li>
          <li>The audit log names the user and the app, as for apps that users authorize.</li>
          <li>
            Under Settings, Apps, the page of the app lists the users it has got a token for, with the first
            and the latest time. Users find the app under Account, Authorized apps, as managed by your
            workspace. Webhooks and the app’s own endpoint receive <Code>app.managed</Code> when you allow an
            app and <Code>app.unmanaged</Code> when you remove it.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="users" title="Signing in">
        <P>
          Register the redirect URI from Settings, Single sign-on, at your provider. Users of the domain then
          sign in at <Code>/login/sso</Code>. The sign-in page links to it.
        </P>
        <Bullets>
          <li>New users get an account if this service allows them to sign up.</li>
          <li>
            You choose whether they become viewers or members of the workspace, or are invited by an admin.
          </li>
          <li>
            A user whom an admin removed does not join again by signing in. Settings, Single sign-on, lists
            them: allow them there, or invite them to the workspace.
          </li>
          <li>
            If the workspace requires SSO, users with an address in the domain and a role in the workspace or
            one of its projects can sign in only through the provider: no password, passkey, or other provider
            works. Sessions that began in another way end. Users with other addresses and instance admins are
            exempt.
          </li>
          <li>
            The requirement covers their API tokens, authorized apps, and refresh tokens, whenever they were
            created. They work while the provider has confirmed the user, by a sign-in or an ID-JAG, within
            one session lifetime (14 days by default). For automation that must not depend on a user, install
            an app.
          </li>
          <li>
            While SSO is required, these users can change their email only within the domain and cannot
            disconnect the provider. To use another address, they leave the workspace and its projects, or an
            admin removes them. Only an account in the domain can accept an invitation to an address in it.
          </li>
          <li>
            If the verification of the domain lapses, SSO stays required except of the workspace’s admins.
            They can verify the domain again or turn the requirement off.
          </li>
          <li>Users with two-factor authentication here confirm it, as after a password.</li>
          <li>
            A session that began here ends at its next request when the provider is removed, the domain is no
            longer verified, or the provider no longer covers the user. In the API, only an account token or a
            browser session can change the provider. A workspace token can read it and allow apps.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="provider" title="At the provider">
        <P>
          The provider issues Identity Assertion JWT Authorization Grants (ID-JAG, also called cross app
          access) by token exchange (RFC 8693). Set this server’s issuer, <Code>{`${baseUrl}/oauth`}</Code>,
          as <Code>audience</Code>, <Code>{`${baseUrl}/mcp`}</Code> as the resource, and for each app its
          client ID here. A valid assertion contains:
        </P>
        <CodeBlock title="ID-JAG" code={assertionClaimsSnippet(baseUrl)} />
        <Bullets>
          <li>
            <Code>iss</Code>, <Code>sub</Code>, <Code>aud</Code>, <Code>client_id</Code>, <Code>jti</Code>,{' '}
            <Code>iat</Code> and <Code>exp</Code> are required. The assertion is valid for an hour at most and
            can be used once. It is signed by an RSA, ECDSA or EdDSA key of the provider’s{' '}
            <Code>jwks_uri</Code>.
          </li>
          <li>
            <Code>email</Code> identifies the user the first time. Later, <Code>sub</Code> does, with{' '}
            <Code>tenant</Code> if the provider has several.
          </li>
          <li>
            If the issuer serves many organizations, the first user who signs in or is named by an assertion
            sets the tenant (<Code>tenant</Code> or <Code>tid</Code>). New users of other tenants are
            rejected, so let an admin be the first. Such a provider must state that it verified the user’s
            address (<Code>email_verified</Code>). Google must also state that the account is managed for your
            domain (<Code>hd</Code>).
          </li>
          <li>
            <Code>scope</Code> and <Code>resource</Code> limit the token. <Code>cnf</Code> binds it to a key,
            for which the app sends a DPoP proof.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="developers" title="For developers">
        <P>
          Your app redeems the assertion at <Code>/oauth/token</Code> with its own credentials (RFC 7523). The
          token begins with <Code>lk_mgd_</Code>, is valid for an hour and accesses one workspace. There is no
          refresh token. Clients find the grant in <Code>/.well-known/oauth-authorization-server/oauth</Code>{' '}
          as the profile <Code>urn:ietf:params:oauth:grant-profile:id-jag</Code>.
        </P>
        <CodeBlock title="Redeem" code={redeemSnippet(baseUrl)} />
        <P>
          If the assertion is refused, the error is <Code>invalid_grant</Code> with the reason in{' '}
          <Code>error_description</Code>, which your app’s page also shows. For an app that no admin allowed,
          it is <Code>unsupported_grant_type</Code>.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
