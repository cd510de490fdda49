import type { KoaContextWithOIDC } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { escapeHtml } from '@/lib/base/http/escape-html'
import type { Say } from '@/lib/base/language/say'
import { isUnverifiedKind } from '@/lib/policy/client-source'
import { destinationName, returnsToThisComputer } from './destination'
import { hiddenInputs, sayTo, showPage } from './html-page'

/**
 * Anybody can register an app with any address. So that the service does not send browsers to wherever a stranger's link
 * says (RFC 9700 sections 2.1 and 4.11.2), a page that names the destination stands in between whenever the app is of such a
 * kind and the person was not asked. decisions/076 has the cases.
 */

/** What OpenID Connect Core section 3.1.2.6 answers to `prompt=none`, which by its meaning nobody is asked about. */
const silentAnswers = new Set([
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
])

/** Whether an answer of the authorization endpoint would take a browser to a stranger's address without having asked. */
export function leavesUnasked({ oidc }: KoaContextWithOIDC, { error }: Parameters): boolean {
  if (error === undefined || !oidc.client || !isUnverifiedKind(oidc.client.clientId)) return false
  if (silentAnswers.has(error) && String(oidc.params?.prompt).split(' ').includes('none')) return false
  const { prompt, result } = oidc.entities.Interaction ?? {}
  const answered = prompt?.name === 'consent' && (result?.consent || result?.error === 'access_denied')
  return !answered
}

export type Parameters = Record<string, string | undefined>
type Answer = (ctx: KoaContextWithOIDC, redirectUri: string, parameters: Parameters) => void | Promise<void>

/** Shows an error of the authorization endpoint, with the way to the app that was to hear it, instead of going there. */
export async function showErrorOnTheWay(
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
  const say = sayTo(ctx)
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
      ? wayOut(say, redirectUri, (label) => postButton(redirectUri, parameters, label))
      : wayOut(say, redirectUri, (label) => linkButton(location, label)),
  })
}

/** Shown at the end of a sign-out that nobody confirmed. @param to the registered address, with what belongs to it */
export function showSignedOutOnTheWay(ctx: KoaContextWithOIDC, to: string): void {
  ctx.status = 200
  const say = sayTo(ctx)
  showPage(ctx, {
    say,
    title: say('signOut.done'),
    text: [say('leave.sendOn', { app: appName(ctx, say) })],
    form: wayOut(say, to, (label) => linkButton(to, label)),
  })
}

const appName = ({ oidc }: KoaContextWithOIDC, say: Say) => oidc.client?.clientName ?? say('oauth.anApp')

/** The caution and the button. @param button makes it from its label */
function wayOut(say: Say, uri: string, button: (label: string) => string): string {
  const name = destinationName(uri) ?? uri
  const where = returnsToThisComputer(uri)
    ? say('leave.thisComputer', { name })
    : say('leave.elsewhere', { name, service: config().SERVICE_NAME })
  const caution = `${where} ${say('leave.caution')}`
  return `<p class="apart">${escapeHtml(caution)}</p>${button(say('leave.continue', { name }))}`
}

const linkButton = (to: string, label: string) =>
  `<a class="button" rel="noreferrer" href="${escapeHtml(to)}">${escapeHtml(label)}</a>`

const postButton = (action: string, parameters: Parameters, label: string) =>
  `<form method="post" action="${escapeHtml(action)}">${hiddenInputs(parameters)}<button type="submit">${escapeHtml(label)}</button></form>`
