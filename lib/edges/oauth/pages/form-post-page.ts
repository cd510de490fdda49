import type { KoaContextWithOIDC } from 'oidc-provider'
import { escapeHtml } from '@/lib/base/http/answers'
import { hiddenInputs, sayTo, showPage } from './html-page'

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
  ctx.status = 'error' in parameters ? 400 : 200
  const say = sayTo(ctx)
  const app = ctx.oidc.client?.clientName ?? say('device.theApp')
  showPage(ctx, {
    say,
    title: say('oauth.goingBack', { app }),
    text: [say('oauth.goingBackWhy')],
    form: `<form method="post" action="${escapeHtml(redirectUri)}">${hiddenInputs(parameters)}<button class="primary" type="submit">${escapeHtml(say('oauth.continue'))}</button></form>`,
    script: submit,
  })
}
