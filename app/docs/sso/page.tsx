import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Bullets, Code, DocsArticle, DocsSection, MenuPath, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { assertionClaimsSnippet, redeemSnippet } from '@/lib/features/docs/snippets/integrations'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Single sign-on' }

export default function SsoDocsPage() {
  const { baseUrl } = readSnippetValues()
  return (
    <DocsArticle
      title="Single sign-on"
      lead="Connect a workspace to your identity provider. Users then sign in through it, and the agents and apps that it manages act for them without a consent page."
    >
      <DocsSection id="admins" title="For admins">
        <P>
          Under <MenuPath>Settings &gt; Single sign-on</MenuPath>, enter your OpenID provider and the domain
          of your users’ email addresses. In your DNS, add the TXT record that the page shows. Then choose
          Check now. The connection works once the domain is verified. We check the record again every day. If
          it’s missing, the domain stays verified for seven more days.
        </P>
        <Bullets>
          <li>
            The provider covers only accounts with an email address in this domain. It doesn’t cover instance
            admins. A domain can be verified for only one workspace.
          </li>
          <li>
            Allow each SSO-managed app by its client ID. It must be an OAuth app with a secret or a key.
            Select scopes to limit its access. The app never gets more access than the user’s own role allows.
            Your <TextAnchor href="/docs/apps-in-workspaces">app policy</TextAnchor> applies too: if only
            approved apps are allowed, also approve the app. Until then, its token requests are rejected, and
            its page under <MenuPath>Settings &gt; Apps</MenuPath> shows a warning.
          </li>
          <li>
            An app can act only for workspace members who have a verified email address in the domain. Its
            requests don’t add users to the workspace.
          </li>
          <li>
            Access ends at the next request if you block or remove the app, or remove the provider or the
            user. It also ends if the user changes to an address outside the domain or becomes an instance
            admin. If the provider stops issuing <TextAnchor href="#provider">identity assertions</TextAnchor>{' '}
            for the user, access ends within an hour.
          </li>
          <li>
            If the workspace requires two-factor authentication, the provider must include <Code>mfa</Code> in{' '}
            <Code>amr</Code>.
          </li>
          <li>The audit log names the user and the app, as for apps that users authorize.</li>
          <li>
            Under <MenuPath>Settings &gt; Apps</MenuPath>, the app’s page lists the users that it got tokens
            for, with the dates of the first and the latest token. Users see the app under{' '}
            <MenuPath>Account &gt; Authorized apps</MenuPath>, where it’s marked as managed by your workspace.
            The webhooks of the workspace and of the app receive <Code>app.managed</Code> when you allow an
            app and <Code>app.unmanaged</Code> when you remove it.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="users" title="Signing in">
        <P>
          Register the redirect URI from <MenuPath>Settings &gt; Single sign-on</MenuPath> at your provider.
          Users with an address in the domain then sign in at <Code>/login/sso</Code>. The sign-in page has a
          link to it.
        </P>
        <Bullets>
          <li>New users get an account if this instance allows sign-up.</li>
          <li>
            You choose whether new users become viewers or members of the workspace, or need an invitation.
          </li>
          <li>
            If an admin removes a user, signing in doesn’t add the user again, even with a new account.{' '}
            <MenuPath>Settings &gt; Single sign-on</MenuPath> lists removed users. Allow a user to rejoin
            there, or invite the user to the workspace. Users who leave the workspace rejoin with at most the
            role that they had.
          </li>
          <li>
            If the workspace requires SSO, users with an address in the domain and a role in the workspace or
            one of its projects must sign in through the provider. They can’t use a password, a passkey, or
            another provider. Sessions that they started with another sign-in method end. Users with other
            addresses and instance admins are exempt.
          </li>
          <li>
            The requirement also covers these users’ API tokens, authorized apps, and refresh tokens,
            including existing ones. They work only if, within the session lifetime (14 days by default), the
            user signed in through the provider or the provider issued an identity assertion (ID-JAG) for the
            user. For automation that must not depend on a user, install an app.
          </li>
          <li>
            While SSO is required, these users can change their email only within the domain and can’t
            disconnect the provider. To use another address, they must leave the workspace and its projects,
            or an admin must remove them. An invitation to an address in the domain can be accepted only by an
            account with an address in the domain.
          </li>
          <li>
            If the domain’s verification lapses, SSO stays required for everyone except workspace admins, who
            can verify the domain again or turn off the requirement.
          </li>
          <li>
            Users with two-factor authentication on this instance must complete it after SSO, just as after
            entering a password.
          </li>
          <li>
            A session started through the provider ends at its next request if the provider is removed, the
            domain is no longer verified, or the provider no longer covers the user. In the GraphQL API,
            changing the provider requires an account token or, in the explorer, a browser session. A
            workspace token can read the provider’s settings and allow apps.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="provider" title="At the provider">
        <P>
          The provider issues Identity Assertion JWT Authorization Grants (ID-JAG, also called cross app
          access) by token exchange (RFC 8693). Set this server’s issuer, <Code>{`${baseUrl}/oauth`}</Code>,
          as <Code>audience</Code>, and <Code>{`${baseUrl}/mcp`}</Code> as the resource. Also enter the client
          ID that each app has on this server. A valid assertion contains:
        </P>
        <CodeBlock title="ID-JAG" code={assertionClaimsSnippet(baseUrl)} />
        <Bullets>
          <li>
            <Code>iss</Code>, <Code>sub</Code>, <Code>aud</Code>, <Code>client_id</Code>, <Code>jti</Code>,{' '}
            <Code>iat</Code>, and <Code>exp</Code> are required. The assertion is valid for up to one hour and
            can be used once. It must be signed with an RSA, ECDSA, or EdDSA key from the provider’s{' '}
            <Code>jwks_uri</Code>.
          </li>
          <li>
            <Code>email</Code> identifies the user the first time. After that, <Code>sub</Code> identifies the
            user, together with <Code>tenant</Code> if the provider has several tenants.
          </li>
          <li>
            If the issuer serves many organizations, the first sign-in or assertion sets the tenant (
            <Code>tenant</Code> or <Code>tid</Code>). New users of other tenants are rejected, so an admin
            must be the first user. Such a provider must confirm that it verified the user’s address (
            <Code>email_verified</Code>). Google must also confirm that the account is managed for your domain
            (<Code>hd</Code>).
          </li>
          <li>
            <Code>scope</Code> and <Code>resource</Code> limit the token. <Code>cnf</Code> binds the token to
            a key. The app must send a DPoP proof for this key.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="developers" title="For developers">
        <P>
          Your app redeems the assertion at <Code>/oauth/token</Code> with its own credentials (RFC 7523). The
          token begins with <Code>lk_mgd_</Code>, is valid for one hour, and gives access to one workspace.
          There is no refresh token. The metadata at{' '}
          <Code>/.well-known/oauth-authorization-server/oauth</Code> lists this grant as the profile{' '}
          <Code>urn:ietf:params:oauth:grant-profile:id-jag</Code>.
        </P>
        <CodeBlock title="Redeem" code={redeemSnippet(baseUrl)} />
        <P>
          If the assertion is rejected, the error is <Code>invalid_grant</Code> with the reason in{' '}
          <Code>error_description</Code>. Your app’s page also shows the reason. For an app that no admin
          allowed, the error is <Code>unsupported_grant_type</Code>.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
