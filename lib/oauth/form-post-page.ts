import type { KoaContextWithOIDC } from 'oidc-provider'
import { Provider } from 'oidc-provider'
import { escapeHtml } from '@/lib/brand/escape-html'
import { renderPage } from './html-page'

const submit = 'document.forms[0].submit()'

/**
 * Answers an authorization request with `response_mode=form_post` (OAuth 2.0 Form Post Response Mode): a page that posts
 * the parameters to the app at once, or by its button where scripts do not run.
 * @param redirectUri checked by the engine
 */
export function formPostPage(
  ctx: KoaContextWithOIDC,
  redirectUri: string,
  parameters: Record<string, string | undefined>,
): void {
  const inputs = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(String(value))}">`)
  const { html, headers } = renderPage({
    title: `Going back to ${ctx.oidc.client?.clientName ?? 'the app'}`,
    text: ['If nothing happens, go on with the button.'],
    form: `<form method="post" action="${escapeHtml(redirectUri)}">${inputs.join('')}<button class="primary" type="submit">Continue</button></form>`,
    script: submit,
  })
  ctx.status = 'error' in parameters ? 400 : 200
  ctx.set(headers)
  ctx.type = 'html'
  ctx.body = html
}

/** The engine with our page for `form_post`; it registers its own response modes while it is made. */
export class ProviderWithOwnPages extends Provider {
  override registerResponseMode(name: string, handler: never): void {
    super.registerResponseMode(name, name === 'form_post' ? (formPostPage as never) : handler)
  }
}
