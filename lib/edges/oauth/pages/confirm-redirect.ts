import type { KoaContextWithOIDC } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { escapeHtml } from '@/lib/base/http/answers'
import type { Say } from '@/lib/base/language/say'
import { isLoopbackHost } from '@/lib/features/apps/redirect-uri'
import { redirectTrust } from '@/lib/policy/app-status'
import { hiddenInputs, showPage, translatorForRequest } from './html-page'

/**
 * Anyone can register an app with any URL, or create an app under an email address that is not theirs. The
 * service does not redirect browsers to such a URL on its own (RFC 9700 sections 2.1 and 4.11.2). Instead, a
 * page first shows the destination, unless the user has already confirmed it. See ADR 0009 for the cases.
 */

/** Errors for `prompt=none`, which never asks the user (OpenID Connect Core section 3.1.2.6). */
const silentAnswers = new Set([
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
])

/**
 * Returns whether an error response of the authorization endpoint would redirect a browser to an untrusted
 * URL without asking the user. For an error of `prompt=none`, every URL counts as trusted, except the URLs of
 * an app that is never trusted (`RedirectTrust`). Runs one statement for an app of a workspace.
 */
export async function redirectsWithoutConfirmation(
  { oidc }: KoaContextWithOIDC,
  { error }: Parameters,
): Promise<boolean> {
  if (error === undefined || !oidc.client) return false
  const { prompt, result } = oidc.entities.Interaction ?? {}
  // Redirect, because the user has already seen the destination on the consent page.
  if (prompt?.name === 'consent' && (result?.consent || result?.error === 'access_denied')) return false
  const trust = await redirectTrust(oidc.client.clientId, oidc.session?.accountId)
  if (trust !== 'silent') return trust === 'never'
  return !(silentAnswers.has(error) && String(oidc.params?.prompt).split(' ').includes('none'))
}

export type Parameters = Record<string, string | undefined>
type Answer = (ctx: KoaContextWithOIDC, redirectUri: string, parameters: Parameters) => void | Promise<void>

/**
 * Shows an error of the authorization endpoint with a link or button that leads to the app, instead of
 * redirecting. Programs receive the error as JSON.
 */
export async function showErrorWithLink(
  ctx: KoaContextWithOIDC,
  mode: string,
  redirectUri: string,
  parameters: Parameters,
  answer: Answer,
): Promise<void> {
  const { error = '', error_description: description } = parameters
  if (ctx.accepts('html', 'json') !== 'html') {
    ctx.status = 400
    ctx.body = parameters
    return
  }
  await answer(ctx, redirectUri, parameters)
  const location = ctx.response.get('location')
  ctx.remove('location')
  ctx.status = 400
  const say = translatorForRequest(ctx)
  const app = appName(ctx, say)
  const turnedBack = error === 'access_denied'
  showPage(ctx, {
    say,
    title: say(turnedBack ? 'leave.back' : 'oauth.refused', { app }),
    text: [say(turnedBack ? 'leave.backWhy' : 'leave.refusedWhy', { app })],
    details: turnedBack
      ? []
      : [
          { label: say('oauth.error'), value: error },
          ...(description ? [{ label: say('oauth.description'), value: description }] : []),
        ],
    form: mode.startsWith('form_post')
      ? exitForm(say, redirectUri, (label) => postButton(redirectUri, parameters, label))
      : exitForm(say, redirectUri, (label) => linkButton(location, label)),
  })
}

/**
 * Shows that a sign-out without a session has finished, with a link to the app.
 * @param to the registered URL, with its parameters
 */
export function showSignedOutWithLink(ctx: KoaContextWithOIDC, to: string): void {
  ctx.status = 200
  const say = translatorForRequest(ctx)
  showPage(ctx, {
    say,
    title: say('signOut.done'),
    text: [say('leave.sendOn', { app: appName(ctx, say) })],
    form: exitForm(say, to, (label) => linkButton(to, label)),
  })
}

const appName = ({ oidc }: KoaContextWithOIDC, say: Say) => oidc.client?.clientName ?? say('oauth.anApp')

/** Returns the markup of the warning and the button. @param button creates the button from its label */
function exitForm(say: Say, uri: string, button: (label: string) => string): string {
  const name = destinationName(uri) ?? uri
  const where = returnsToUserDevice(uri)
    ? say('leave.thisComputer', { name })
    : say('leave.elsewhere', { name, service: config().serviceName })
  const caution = `${where} ${say('leave.caution')}`
  return `<p class="apart">${escapeHtml(caution)}</p>${button(say('leave.continue', { name }))}`
}

const linkButton = (to: string, label: string) =>
  `<a class="button" rel="noreferrer" href="${escapeHtml(to)}">${escapeHtml(label)}</a>`

const postButton = (action: string, parameters: Parameters, label: string) =>
  `<form method="post" action="${escapeHtml(action)}">${hiddenInputs(parameters)}<button type="submit">${escapeHtml(label)}</button></form>`

/**
 * Returns the destination of a redirect URI in a form that users can recognize: the host, or the scheme that
 * opens an app on this device. The text after such a scheme is not a host, even if it looks like a host
 * (`evil://bank.example`).
 * @returns undefined if the value is not a URL
 */
export function destinationName(uri: unknown): string | undefined {
  const url = typeof uri === 'string' ? URL.parse(uri) : null
  if (!url) return undefined
  return isWeb(url) ? url.host : `${url.protocol}//`
}

/**
 * Returns whether a redirect URI is an http URL with a loopback host. Such a URL leads to the user's own
 * device, where any program could have sent the request.
 */
export function returnsToUserDevice(uri: unknown): boolean {
  const url = typeof uri === 'string' ? URL.parse(uri) : null
  return url?.protocol === 'http:' && isLoopbackHost(url.hostname)
}

const isWeb = ({ protocol }: URL) => protocol === 'https:' || protocol === 'http:'

const submit = 'document.forms[0].submit()'

/**
 * Answers an authorization request with `response_mode=form_post` (OAuth 2.0 Form Post Response Mode). The
 * page posts the parameters to the app immediately. Without JavaScript, the user must click a button to post
 * them.
 * @param redirectUri the redirect URI, which oidc-provider has validated
 */
export function formPostPage(
  ctx: KoaContextWithOIDC,
  redirectUri: string,
  parameters: Record<string, string | undefined>,
): void {
  ctx.status = 'error' in parameters ? 400 : 200
  const say = translatorForRequest(ctx)
  const app = ctx.oidc.client?.clientName ?? say('device.theApp')
  showPage(ctx, {
    say,
    title: say('oauth.goingBack', { app }),
    text: [say('oauth.goingBackWhy')],
    form: `<form method="post" action="${escapeHtml(redirectUri)}">${hiddenInputs(parameters)}<button class="primary" type="submit">${escapeHtml(say('oauth.continue'))}</button></form>`,
    script: submit,
  })
}
