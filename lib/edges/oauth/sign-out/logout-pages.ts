import type { KoaContextWithOIDC } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { escapeHtml } from '@/lib/base/http/answers'
import { signOutSecret } from '../overrides/id-token-hint'
import { destinationName } from '../pages/destination'
import { sayTo, showPage } from '../pages/html-page'
import { isOwnSignOut } from './sign-out-by-hint'

/**
 * Asks the person before an app's logout request ends their session (OpenID Connect RP-Initiated Logout section 2), and says
 * where they go afterwards, whatever they answer.
 */
export async function logoutSource(ctx: KoaContextWithOIDC, form: string): Promise<void> {
  if (await isOwnSignOut(ctx)) {
    // end-browser-session gives the answer, once the engine has stored what it asked.
    ctx.state.signOutWith = signOutSecret(ctx)
    return
  }
  const say = sayTo(ctx)
  const app = ctx.oidc.client?.clientName ?? say('oauth.anApp')
  const host = destinationName(ctx.oidc.params?.post_logout_redirect_uri)
  showPage(ctx, {
    say,
    title: say('signOut.title'),
    text: [
      say('signOut.why', { app, service: config().SERVICE_NAME }),
      ...(host ? [say('signOut.next', { host })] : []),
    ],
    form: `${form}<button class="primary" form="op.logoutForm" type="submit" name="logout" value="yes">${escapeHtml(say('signOut.submit'))}</button>
<button form="op.logoutForm" type="submit">${escapeHtml(say('signOut.stay'))}</button>`,
  })
}

/** Shown after a logout whose request named no address to return to. */
export async function postLogoutSuccessSource(ctx: KoaContextWithOIDC): Promise<void> {
  const say = sayTo(ctx)
  const app = ctx.oidc.client?.clientName
  showPage(ctx, {
    say,
    title: say('signOut.done'),
    text: [app ? say('signOut.doneApp', { app }) : say('signOut.doneClose')],
  })
}
