import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { assertionClaimsSnippet, redeemSnippet } from '@/lib/features/docs/snippets/integrations'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Companies' }

export default function CompanyDocsPage() {
  const { baseUrl } = readSnippetValues()
  return (
    <DocsArticle
      title="Companies"
      lead="Your identity provider says which agents and apps act for whom in your workspace: no consent page for each person, and one place that ends it."
    >
      <DocsSection id="admins" title="For admins">
        <P>
          Under Settings, Company, name your OpenID provider and the mail domain that it speaks for, put the
          TXT record that stands there into your DNS, and check. It counts from then on; the record is looked
          for again every day, and one that is gone counts for seven more days.
        </P>
        <Bullets>
          <li>
            The provider speaks for accounts with an address in this domain, and for no others: not for
            instance admins of this service, nor for who has another address by now. A proven domain is one
            workspace’s.
          </li>
          <li>
            Apps are let in one by one, by their client id: OAuth apps with a secret or a key. For each you
            say the most it may do. Nothing goes beyond the role of the person, either, and what your
            workspace <TextAnchor href="/docs/apps-in-workspaces">says of apps</TextAnchor> counts as for any
            other: under the policy of approved apps, approve it as well. Until then its assertions are
            refused, and its page under Settings, Apps says so.
          </li>
          <li>
            Who is to use an app has to be a member here, with a verified address in the domain. An app makes
            nobody a member.
          </li>
          <li>
            It ends at the next request when you remove the app, the provider or the person, or block the app,
            and when the person takes an address outside the domain or becomes an instance admin of this
            service; within the hour, when the provider gives no new word for the person.
          </li>
          <li>
            Where the workspace asks for two factors, the provider has to say <Code>mfa</Code> in{' '}
            <Code>amr</Code>.
          </li>
          <li>The audit log names the person and the app, as for every app that people let in themselves.</li>
          <li>
            Under Settings, Apps, the page of the app lists for whom it has got a token, since when and when
            last. People find it under Account, Authorized apps, as managed by your workspace. Webhooks are
            told which apps you let in so (<Code>app.managed</Code>) and which no longer (
            <Code>app.unmanaged</Code>), and so is the app’s own endpoint.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="people" title="Signing in">
        <P>
          Register the redirect URI that stands under Settings, Company, at your provider. From then on people
          of the domain sign in at <Code>/login/company</Code>, which the sign-in page leads to.
        </P>
        <Bullets>
          <li>Who is new gets an account, as far as the instance admin of this service lets anybody in.</li>
          <li>
            You choose whether they become viewers or members of the workspace, or are invited by an admin.
          </li>
          <li>
            A user whom an admin removed does not join again by signing in. Settings, Company, lists them:
            allow them there, or invite them to the workspace.
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
          <li>Whoever has two-factor here is asked for it as after a password.</li>
          <li>
            A session that began here ends at its next request once the provider or the proof of the domain is
            gone, or it does not speak for the person any more. By the API the provider is set with an account
            token, or in a browser: a token of the workspace reads it and lets apps in, and does not say who
            somebody is.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="provider" title="At the provider">
        <P>
          The provider issues Identity Assertion JWT Authorization Grants (ID-JAG, also called cross app
          access) by token exchange (RFC 8693). Tell it this server’s issuer as <Code>audience</Code>,{' '}
          <Code>{`${baseUrl}/oauth`}</Code>, the resource <Code>{`${baseUrl}/mcp`}</Code>, and for each app
          the client id that it has here. An assertion that is taken says:
        </P>
        <CodeBlock title="ID-JAG" code={assertionClaimsSnippet(baseUrl)} />
        <Bullets>
          <li>
            <Code>iss</Code>, <Code>sub</Code>, <Code>aud</Code>, <Code>client_id</Code>, <Code>jti</Code>,{' '}
            <Code>iat</Code> and <Code>exp</Code> are required. It lives an hour at most, is good once, and is
            signed by an RSA, ECDSA or EdDSA key of the provider’s <Code>jwks_uri</Code>.
          </li>
          <li>
            <Code>email</Code> finds the person the first time; afterwards it is <Code>sub</Code>, with{' '}
            <Code>tenant</Code> where the provider has several.
          </li>
          <li>
            Where its issuer serves many companies, the first to sign in, or to be named by an assertion,
            decides on the tenant (<Code>tenant</Code> or <Code>tid</Code>), and nobody new is taken from
            another: so let an admin be the first. Such a provider has to say that it verified the address (
            <Code>email_verified</Code>) of who signs in, and Google that the account is managed for your
            domain (<Code>hd</Code>).
          </li>
          <li>
            <Code>scope</Code> and <Code>resource</Code> bound what the token is for. <Code>cnf</Code> binds
            it to a key, of which the app sends a DPoP proof.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="developers" title="For developers">
        <P>
          At <Code>/oauth/token</Code> your app redeems the assertion with its own credentials (RFC 7523). The
          token begins with <Code>lk_mgd_</Code>, lives for an hour and reaches the one workspace; there is no
          refresh token. Clients find the grant in <Code>/.well-known/oauth-authorization-server/oauth</Code>{' '}
          as the profile <Code>urn:ietf:params:oauth:grant-profile:id-jag</Code>.
        </P>
        <CodeBlock title="Redeem" code={redeemSnippet(baseUrl)} />
        <P>
          Refused, it is <Code>invalid_grant</Code> with the reason as <Code>error_description</Code>, which
          also stands on your app’s page. An app that no admin let in is answered{' '}
          <Code>unsupported_grant_type</Code>.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
