import type { KoaContextWithOIDC } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { signOutSecret } from '../overrides/id-token-hint'
import { destinationName } from '../pages/destination'
import { showPage } from '../pages/html-page'
import { isOwnSignOut } from './sign-out-by-hint'

/**
 * Asks the person before an app's logout request ends their session (OpenID Connect RP-Initiated Logout section 2), and says
 * where they go afterwards, whatever they answer.
 */
export async function logoutSource(ctx: KoaContextWithOIDC, form: string): Promise<void> {
  if (isOwnSignOut(ctx)) {
    // end-browser-session gives the answer, once the engine has stored what it asked.
    ctx.state.signOutWith = signOutSecret(ctx)
    return
  }
  const app = ctx.oidc.client?.clientName
  const next = destinationName(ctx.oidc.params?.post_logout_redirect_uri)
  showPage(ctx, {
    title: 'Sign out?',
    text: [
      `${app ?? 'An app'} asks to sign you out of ${config().SERVICE_NAME}, here and in the apps that use it.`,
      ...(next ? [`From here you go on to ${next}.`] : []),
    ],
    form: `${form}<button class="primary" form="op.logoutForm" type="submit" name="logout" value="yes">Sign out</button>
<button form="op.logoutForm" type="submit">Stay signed in</button>`,
  })
}

/** Shown after a logout whose request named no address to return to. */
export async function postLogoutSuccessSource(ctx: KoaContextWithOIDC): Promise<void> {
  const app = ctx.oidc.client?.clientName
  showPage(ctx, {
    title: 'You are signed out',
    text: [app ? `${app} knows about it.` : 'You can close this page.'],
  })
}
