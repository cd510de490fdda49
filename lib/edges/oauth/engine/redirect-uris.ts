import { Provider } from 'oidc-provider'
import { acceptsAnyPort, isOwnAddress } from '@/lib/features/apps/redirect-uri'
import { clientSource } from '@/lib/policy/scopes'
import { formPostPage, redirectsWithoutConfirmation, showErrorWithLink } from '../pages/confirm-redirect'

const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/

/** Returns a plain-http loopback URI without its port; undefined for any other URI. */
const withoutLoopbackPort = (uri: string): string | undefined =>
  loopback.test(uri) && URL.canParse(uri) ? uri.replace(loopback, '$1') : undefined

/**
 * Returns whether a redirect URI matches a registered redirect URI. The URIs must match exactly (RFC 9700
 * section 2.1), with one exception (RFC 8252 section 7.3): a native app's loopback URI can have any port if
 * the registered URI has an IP address and no port, or if the app registered itself or uses a metadata
 * document.
 */
export function redirectUriMatches(
  client: { clientId: string; native: boolean },
  registered: readonly string[],
  presented: string,
): boolean {
  if (registered.includes(presented)) return true
  if (!client.native) return false
  const wanted = withoutLoopbackPort(presented)
  if (!wanted) return false
  const anyPort = clientSource(client.clientId) !== 'SETTINGS'
  return registered.some((uri) => (anyPort || acceptsAnyPort(uri)) && withoutLoopbackPort(uri) === wanted)
}

/** Returns whether the response to the current authorization request is a page that posts it to the app. */
function postsResponse(): boolean {
  const ctx = Provider.ctx
  return (ctx?.oidc.params ?? ctx?.query)?.response_mode === 'form_post'
}

/**
 * Makes oidc-provider use `redirectUriMatches` for redirect URIs, including those after a logout. The rule of
 * oidc-provider allows any loopback port for every native app. With `form_post`, rejects URIs of this
 * instance, which an earlier release could have registered (`isOwnAddress`).
 */
export function applyRedirectRules(provider: Provider): void {
  type Subject = {
    clientId: string
    applicationType?: string
    redirectUris: string[]
    postLogoutRedirectUris?: string[]
  }
  const subject = (client: Subject) => ({
    clientId: client.clientId,
    native: client.applicationType === 'native',
  })
  Object.assign(provider.Client.prototype, {
    redirectUriAllowed(this: Subject, uri: string) {
      return (
        redirectUriMatches(subject(this), this.redirectUris, uri) && !(isOwnAddress(uri) && postsResponse())
      )
    },
    postLogoutRedirectUriAllowed(this: Subject, uri: string) {
      return redirectUriMatches(subject(this), this.postLogoutRedirectUris ?? [], uri)
    },
  })
}

type Answer = Parameters<typeof showErrorWithLink>[4]

/**
 * An oidc-provider that uses our own page for `form_post`. For an error, it shows a page with the destination
 * instead of redirecting to an untrusted URI. This is a subclass, because oidc-provider registers response
 * modes in its constructor. Only an overridden method can replace them there.
 */
export class ProviderWithOwnPages extends Provider {
  override registerResponseMode(name: string, engines: never): void {
    const answer: Answer = name === 'form_post' ? formPostPage : engines
    const guarded: Answer = async (ctx, redirectUri, parameters) =>
      (await redirectsWithoutConfirmation(ctx, parameters))
        ? showErrorWithLink(ctx, name, redirectUri, parameters, answer)
        : answer(ctx, redirectUri, parameters)
    super.registerResponseMode(name, guarded as never)
  }
}
