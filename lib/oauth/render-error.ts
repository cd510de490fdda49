import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { renderPage } from './html-page'

/** What each error means to the person who sees it; the codes are for the app's developer. */
const explanations: Record<string, string> = {
  invalid_redirect_uri:
    'The app asked to send you back to an address that is not registered for it, so you were not sent there.',
  invalid_client: 'The app is not known here. It may have been removed.',
  invalid_request: 'The app sent a request that cannot be understood.',
  server_error: 'Something went wrong on our side.',
}

/**
 * Answers an authorization request that cannot be sent back to the app: a page for people, JSON for programs, by the
 * Accept header, with the status the engine chose.
 */
export function renderError(ctx: KoaContextWithOIDC, out: ErrorOut, error: Error): void {
  const lost = error.name === 'SessionNotFound'
  if (ctx.accepts('html', 'json') !== 'html') {
    ctx.body = out
    return
  }
  const { html, headers } = renderPage({
    title: lost ? 'This sign-in has expired' : 'This request cannot go on',
    text: lost
      ? ['It was finished before, took too long, or was started in another browser.']
      : [explanations[out.error] ?? 'The app’s request was refused.'],
    details: [
      { label: 'Error', value: out.error },
      ...(out.error_description ? [{ label: 'Description', value: out.error_description }] : []),
    ],
    form: '<p>Go back to the app and start again there.</p>',
  })
  ctx.set(headers)
  ctx.type = 'html'
  ctx.body = html
}
