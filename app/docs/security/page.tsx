import type { Metadata } from 'next'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'

export const metadata: Metadata = { title: 'Security options' }

export default function SecurityPage() {
  return (
    <DocsArticle
      title="Security options"
      lead="What an app can ask for beyond the ordinary: under Advanced in its settings, in the GraphQL API, and as metadata when it registers itself."
    >
      <DocsSection id="sign-outs" title="Hearing of sign-outs">
        <P>
          Give your app an address for sign-outs (<Code>backchannel_logout_uri</Code>), and it gets a POST
          with a <Code>logout_token</Code> whenever a session ends in which somebody signed in to it: by
          signing out here or through another app, by ending the session elsewhere, by a changed password, by
          the instance admin, with the person’s account. This is OpenID Connect Back-Channel Logout.
        </P>
        <Bullets>
          <li>
            Check the token like an id_token: signature, <Code>iss</Code>, <Code>aud</Code> and{' '}
            <Code>exp</Code>; its <Code>typ</Code> is <Code>logout+jwt</Code>, and it has no{' '}
            <Code>nonce</Code>.
          </li>
          <li>
            End the session you opened for the id_token with the same <Code>sid</Code>. A self-registered app
            gets it with <Code>backchannel_logout_session_required</Code>; without, end all sessions of{' '}
            <Code>sub</Code>.
          </li>
          <li>
            Answer 200 or 204. Anything else is tried again, ten times over about three hours; then your app’s
            page says why it failed.
          </li>
          <li>The address is https on port 443 of the public internet; redirects are not followed.</li>
          <li>
            Access and refresh tokens go on: they belong to what the person authorized, not to a browser
            session. A session that merely runs out is no sign-out.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="private-key" title="A private key instead of a secret">
        <P>
          With <Code>private_key_jwt</Code> your app signs a short statement with each request and sends no
          secret at all. Publish the public keys at an https address (<Code>jwks_uri</Code>), so that you can
          exchange them by yourself, or register the key set (<Code>jwks</Code>).
        </P>
        <Bullets>
          <li>RS256, PS256, ES256 or EdDSA, with an RSA key of 2048 bits or more, P-256, or Ed25519.</li>
          <li>
            <Code>iss</Code> and <Code>sub</Code> are the client id, <Code>aud</Code> is the issuer,{' '}
            <Code>exp</Code> lies within the hour, and a <Code>jti</Code> is good once.
          </li>
          <li>
            Keys at an address are read again after a minute, whatever caching its headers ask for: publish a
            new key a minute before you use it. While the address does not answer, no key of it is accepted.
          </li>
          <li>An app with a key authenticates everywhere, at /oauth/request and /oauth/device/auth too.</li>
        </Bullets>
      </DocsSection>
      <DocsSection id="requests" title="Pushed and signed requests">
        <P>
          An app that requires pushed requests (RFC 9126) sends its parameters to /oauth/request, with its
          credentials, before it sends the person over; what comes by way of the browser is refused. One that
          requires signed requests (RFC 9101) puts them into a JWT signed by its key, as <Code>request</Code>.
          A request by reference comes from /oauth/request alone.
        </P>
      </DocsSection>
      <DocsSection id="high-security" title="High security">
        <P>
          One switch (<Code>high_security</Code>) holds an app to the FAPI 2.0 Security Profile. It takes
          public keys, and means all of this at once:
        </P>
        <Bullets>
          <li>
            <Code>private_key_jwt</Code> with PS256, ES256 or EdDSA; <Code>aud</Code> is the issuer, as a
            string.
          </li>
          <li>Pushed, authenticated requests with PKCE; a signed one states nbf and exp.</li>
          <li>
            Access tokens bound to a key by DPoP (RFC 9449), good for ten minutes. Refresh tokens are not
            replaced and end after ninety days.
          </li>
          <li>id_tokens signed with ES256, or EdDSA where you chose it.</li>
          <li>https redirect URIs, or http on 127.0.0.1; no device flow.</li>
        </Bullets>
        <P>
          <TextAnchor href="/docs/tokens">More about tokens</TextAnchor>
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
