import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { isOutage } from '@/lib/base/db/is-outage'
import type { MessageKey, Say } from '@/lib/base/language/say'
import { requestId } from '@/lib/base/log/request-scope'
import { unavailable } from '../protocol/tell-outage'
import { printable, shortened } from '../protocol/what-was-sent'
import { sayTo, showPage } from './html-page'

/** What each error means to the person who sees it; the codes are for the app's developer. */
const explanations: Record<string, MessageKey> = {
  invalid_redirect_uri: 'oauth.redirectUri',
  invalid_client: 'oauth.unknownApp',
  invalid_request: 'oauth.malformed',
  server_error: 'oauth.ourSide',
  temporarily_unavailable: 'oauth.away',
}

/** Those that are no fault of the app's. */
const ours = new Set(['server_error', 'temporarily_unavailable'])

/**
 * Answers an authorization request that cannot be sent back to the app: a page for people, JSON for programs, by the
 * Accept header, with the status the engine chose. A redirect URI that is not registered is repeated as it came, so that the
 * app's developer sees the difference; what is registered is told to nobody.
 */
export function renderError(ctx: KoaContextWithOIDC, error: ErrorOut, cause: Error): void {
  const lost = cause.name === 'SessionNotFound'
  const out = outOf(ctx, error, cause)
  if (ctx.accepts('html', 'json') !== 'html') {
    ctx.body = out
    return
  }
  const say = sayTo(ctx)
  const app = ctx.oidc?.client?.clientName
  showPage(ctx, {
    say,
    title: say(...titleOf(out.error, lost, app)),
    text: [
      lost ? say('lost.why') : say(explanations[out.error] ?? 'oauth.otherwise'),
      ...(ours.has(out.error) ? [] : [app ? say('lost.backTo', { app }) : say('lost.back')]),
    ],
    details: [
      { label: say('oauth.error'), value: out.error },
      ...(out.error_description ? [{ label: say('oauth.description'), value: out.error_description }] : []),
      ...sentAddress(ctx, say, out.error),
      ...referenceRow(say),
    ],
    more: lost ? undefined : { text: say('oauth.more'), href: `/docs/errors#oauth` },
  })
}

/** The app is named where the request says which it is: a stranger's address changes nothing about that. */
function titleOf(
  error: string,
  lost: boolean,
  app: string | undefined,
): [key: MessageKey, values?: Record<string, string>] {
  if (lost) return ['lost.title']
  if (ours.has(error)) return ['page.away']
  return app ? ['oauth.refused', { app }] : ['oauth.deadLink']
}

/** The address that was asked for and is not registered, as it came; the registered ones are told to nobody. */
function sentAddress({ oidc, query }: KoaContextWithOIDC, say: Say, error: string) {
  const sent = oidc?.params?.redirect_uri ?? query.redirect_uri
  if (error !== 'invalid_redirect_uri' || typeof sent !== 'string') return []
  return [{ label: say('oauth.received'), value: shortened(sent) }]
}

/** What the person can name to whoever is asked for help. */
function referenceRow(say: Say): { label: string; value: string }[] {
  const id = requestId()
  return id === undefined ? [] : [{ label: say('oauth.reference'), value: id }]
}

function outOf(ctx: KoaContextWithOIDC, error: ErrorOut, cause: Error): ErrorOut {
  if (isOutage(cause)) return unavailable
  return error.error === 'invalid_redirect_uri' ? namingWhatWasSent(ctx, error) : error
}

function namingWhatWasSent({ oidc, query }: KoaContextWithOIDC, out: ErrorOut): ErrorOut {
  const sent = oidc.params?.redirect_uri ?? query.redirect_uri
  if (typeof sent !== 'string') return out
  const shown = printable(sent).slice(0, 500)
  const error_description = `${shown} is not registered for this client; a redirect_uri must be registered exactly as it is sent`
  return { ...out, error_description }
}
