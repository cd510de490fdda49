import { Provider } from 'oidc-provider'
import { acceptsAnyPort } from '@/lib/features/apps/redirect-uri'
import { clientSource } from '@/lib/policy/scopes'
import { formPostPage, leavesUnasked, showErrorOnTheWay } from '../pages/confirm-redirect'

const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/

/** A plain-http URI on this machine without its port, the rest as it is written; undefined for any other. */
const withoutLoopbackPort = (uri: string): string | undefined =>
  loopback.test(uri) && URL.canParse(uri) ? uri.replace(loopback, '$1') : undefined

/**
 * Whether a redirect URI is one of those registered. They match exactly, character by character (RFC 9700 section 2.1),
 * with one opening (RFC 8252 section 7.3): a loopback URI of a native app registered without a port takes any port, and
 * so does every loopback URI of a self-registered or metadata-document client, which choose their port when they start.
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

/** Replaces the engine's rule, under which every native client's loopback port may vary. */
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
      return redirectUriMatches(subject(this), this.redirectUris, uri)
    },
    postLogoutRedirectUriAllowed(this: Subject, uri: string) {
      return redirectUriMatches(subject(this), this.postLogoutRedirectUris ?? [], uri)
    },
  })
}

type Answer = Parameters<typeof showErrorOnTheWay>[4]

/**
 * oidc-provider with our own authorization responses: `form_post` by our own page, and a page that names the destination before a
 * redirect to an untrusted address. It registers its response modes in its constructor.
 */
export class ProviderWithOwnPages extends Provider {
  override registerResponseMode(name: string, engines: never): void {
    const answer: Answer = name === 'form_post' ? formPostPage : engines
    const guarded: Answer = async (ctx, redirectUri, parameters) =>
      (await leavesUnasked(ctx, parameters))
        ? showErrorOnTheWay(ctx, name, redirectUri, parameters, answer)
        : answer(ctx, redirectUri, parameters)
    super.registerResponseMode(name, guarded as never)
  }
}
