import type { Metadata } from 'next'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'

export const metadata: Metadata = { title: 'Security options' }

export default function SecurityPage() {
  return (
    <DocsArticle
      title="Security options"
      lead="Options for apps with higher security requirements. Set them under Advanced in the app’s settings, in the GraphQL API, or as registration metadata."
    >
      <DocsSection id="sign-outs" title="Back-channel logout">
        <P>
          Set a back-channel logout URI (<Code>backchannel_logout_uri</Code>). If a user signed in to your app
          in a session and that session ends, your app receives a POST request with a{' '}
          <Code>logout_token</Code>. A session ends when the user signs out on this instance or in another
          app, ends the session from another device, changes the password, or deletes the account. Instance
          admins can also end it. This is OpenID Connect Back-Channel Logout.
        </P>
        <Bullets>
          <li>
            Check the token like an ID token: signature, <Code>iss</Code>, <Code>aud</Code>, and{' '}
            <Code>exp</Code>. Its <Code>typ</Code> is <Code>logout+jwt</Code>, and it has no{' '}
            <Code>nonce</Code>.
          </li>
          <li>
            End the session you created for the ID token with the same <Code>sid</Code>. Self-registered apps
            receive <Code>sid</Code> only if they set <Code>backchannel_logout_session_required</Code>. If the
            token has no <Code>sid</Code>, end all sessions of the user in <Code>sub</Code>.
          </li>
          <li>
            Respond with 200 or 204. After any other response, the request is retried up to ten times over
            three to six hours. If all attempts fail, your app’s page shows the reason.
          </li>
          <li>The URL must be public and use https on port 443. Redirects aren’t followed.</li>
          <li>
            Access and refresh tokens keep working: they belong to the authorization, not to a browser
            session. No logout token is sent when a session expires.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="private-key" title="A private key instead of a secret">
        <P>
          With <Code>private_key_jwt</Code> your app signs a short-lived JWT with each request instead of
          sending a secret. Publish the public keys at an https URL (<Code>jwks_uri</Code>) so that you can
          rotate them yourself, or register the key set (<Code>jwks</Code>).
        </P>
        <Bullets>
          <li>
            Use RS256, PS256, ES256, or EdDSA with an RSA key of at least 2048 bits, a P-256 key, or an
            Ed25519 key.
          </li>
          <li>
            <Code>iss</Code> and <Code>sub</Code> are the client ID, <Code>aud</Code> is the issuer,{' '}
            <Code>exp</Code> is at most one hour ahead, and each <Code>jti</Code> can be used once.
          </li>
          <li>
            The keys at a <Code>jwks_uri</Code> are cached for one minute, regardless of cache headers.
            Publish a new key at least one minute before you use it. If the URL doesn’t respond, its keys
            aren’t accepted.
          </li>
          <li>
            An app with a key must authenticate at each endpoint that it calls with its client ID, including{' '}
            <Code>/oauth/request</Code> and <Code>/oauth/device/auth</Code>.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="requests" title="Pushed and signed requests">
        <P>
          An app that requires pushed requests (RFC 9126) sends its parameters to /oauth/request, with its
          credentials, before it redirects the user. Parameters from the browser are rejected. An app that
          requires signed requests (RFC 9101) sends its parameters in a JWT signed with its key, as{' '}
          <Code>request</Code>. Only request URIs from /oauth/request are accepted.
        </P>
      </DocsSection>
      <DocsSection id="high-security" title="High security">
        <P>
          One setting (<Code>high_security</Code>) enforces the FAPI 2.0 Security Profile. It requires public
          keys and enables all of the following:
        </P>
        <Bullets>
          <li>
            <Code>private_key_jwt</Code> with PS256, ES256, or EdDSA. <Code>aud</Code> is the issuer, as a
            string.
          </li>
          <li>
            Pushed authorization requests with client authentication and PKCE. Signed authorization requests
            must include <Code>nbf</Code> and <Code>exp</Code>.
          </li>
          <li>
            Access tokens bound to a key by DPoP (RFC 9449), valid for ten minutes. Refresh tokens aren’t
            rotated and expire after ninety days.
          </li>
          <li>ID tokens signed with ES256, or with EdDSA if you select it.</li>
          <li>Redirect URIs with https, or http on 127.0.0.1. The device flow is disabled.</li>
        </Bullets>
        <P>
          <TextAnchor href="/docs/tokens">More about tokens</TextAnchor>
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
