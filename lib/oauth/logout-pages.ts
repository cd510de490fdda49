import type { KoaContextWithOIDC } from 'oidc-provider'
import { config } from '@/lib/config/env'
import { renderPage } from './html-page'

/** Asks the person before an app's logout request ends their session (OpenID Connect RP-Initiated Logout section 2). */
export async function logoutSource(ctx: KoaContextWithOIDC, form: string): Promise<void> {
  const app = ctx.oidc.client?.clientName
  show(ctx, {
    title: 'Sign out?',
    text: [
      `${app ?? 'An app'} asks to sign you out of ${config().SERVICE_NAME}, here and in the apps that use it.`,
    ],
    form: `${form}<button class="primary" form="op.logoutForm" type="submit" name="logout" value="yes">Sign out</button>
<button form="op.logoutForm" type="submit">Stay signed in</button>`,
  })
}

/** Shown after a logout whose request named no address to return to. */
export async function postLogoutSuccessSource(ctx: KoaContextWithOIDC): Promise<void> {
  const app = ctx.oidc.client?.clientName
  show(ctx, {
    title: 'You are signed out',
    text: [app ? `${app} knows about it.` : 'You can close this page.'],
  })
}

function show(ctx: KoaContextWithOIDC, page: Parameters<typeof renderPage>[0]): void {
  const { html, headers } = renderPage(page)
  ctx.set(headers)
  ctx.type = 'html'
  ctx.body = html
}
