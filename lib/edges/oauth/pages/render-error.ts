import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { isOutage } from '@/lib/base/db/is-outage'
import { requestId } from '@/lib/base/log/request-scope'
import { unavailable } from '../protocol/tell-outage'
import { showPage } from './html-page'

/** What each error means to the person who sees it; the codes are for the app's developer. */
const explanations: Record<string, string> = {
  invalid_redirect_uri:
    'The app asked to send you back to an address that is not registered for it, so you were not sent there.',
  invalid_client: 'The app is not known here. It may have been removed.',
  invalid_request: 'The app sent a request that cannot be understood.',
  server_error: 'Something went wrong on our side.',
  temporarily_unavailable: 'The service cannot answer at the moment. Nothing is lost; try again shortly.',
}

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
  showPage(ctx, {
    title: lost ? 'This sign-in has expired' : 'This request cannot go on',
    text: lost
      ? ['It was finished before, took too long, or was started in another browser.']
      : [explanations[out.error] ?? 'The app’s request was refused.'],
    details: [
      { label: 'Error', value: out.error },
      ...(out.error_description ? [{ label: 'Description', value: out.error_description }] : []),
      ...referenceRow(),
    ],
    form: '<p class="apart">Go back to the app and start again there.</p>',
  })
}

/** What the person can name to whoever is asked for help. */
function referenceRow(): { label: string; value: string }[] {
  const id = requestId()
  return id === undefined ? [] : [{ label: 'Reference', value: id }]
}

function outOf(ctx: KoaContextWithOIDC, error: ErrorOut, cause: Error): ErrorOut {
  if (isOutage(cause)) return unavailable
  return error.error === 'invalid_redirect_uri' ? namingWhatWasSent(ctx, error) : error
}

function namingWhatWasSent({ oidc, query }: KoaContextWithOIDC, out: ErrorOut): ErrorOut {
  const sent = oidc.params?.redirect_uri ?? query.redirect_uri
  if (typeof sent !== 'string') return out
  // A description holds printable ASCII without quotes and backslashes (RFC 6749 section 4.1.2.1).
  const shown = sent.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/gu, encodeURIComponent).slice(0, 500)
  const error_description = `${shown} is not registered for this client; a redirect_uri must be registered exactly as it is sent`
  return { ...out, error_description }
}
