import {
  type AuthPage,
  cookieHeader,
  type ShownPage,
  sessionOf,
  translatorForVisitor,
  type Visit,
  waitingApp,
} from '@/app/auth-pages/auth-page'
import { readBrand } from '@/app/brand'
import { AccountChoice, LostInteraction } from '@/components/consent/account-choice'
import { AppUnavailable } from '@/components/consent/app-unavailable'
import { ApprovalRequests, EarlierAccess } from '@/components/consent/consent-notes'
import { ConsentPage } from '@/components/consent/consent-page'
import { scopePermissions } from '@/components/consent/permission-list'
import { AuthFrame } from '@/components/frame/auth-frame'
import type { Brand } from '@/components/frame/brand'
import type { Say } from '@/lib/base/language/say'
import { loadConsentView } from '@/lib/edges/oauth/interaction/consent-view'
import { interactionPath, nextStep, type Step } from '@/lib/edges/oauth/interaction/next-step'
import { destinationName, returnsToUserDevice } from '@/lib/edges/oauth/pages/confirm-redirect'
import { requestedApis } from '@/lib/features/apps/authorizations/api-grants'

/**
 * The page of a pending authorization request, on which the user chooses an account or gives consent. If the
 * request needs neither, the page redirects, for example to the sign-in page.
 */
export const interactionPage: AuthPage = {
  async show(visit) {
    const uid = visit.params.uid as string
    const step = await nextStep(uid, cookieHeader(visit), await sessionOf(visit))
    if (step.kind === 'redirect') return step
    if (step.kind === 'lost') return showLostRequest(visit, uid)
    const { client, interaction } = step.open
    const { ui_locales } = interaction.params
    const say = translatorForVisitor(visit, typeof ui_locales === 'string' ? ui_locales : undefined)
    if (step.kind === 'consent') return showConsent(step, visit.query, readBrand(), say)
    const appName = client.clientName ?? client.clientId
    return {
      say,
      title: step.wrongAccount ? say('choose.wrong', { app: appName }) : say('choose.title'),
      page: (
        <AuthFrame brand={readBrand()} say={say}>
          <AccountChoice
            say={say}
            appName={appName}
            user={step.session.user}
            wrongAccount={step.wrongAccount}
            continueAction={`${interactionPath(uid)}/continue`}
            next={interactionPath(uid)}
          />
        </AuthFrame>
      ),
    }
  },
}

/**
 * Returns the page for a request that has ended or belongs to another browser. If the request is still open,
 * the page names the app.
 */
async function showLostRequest(visit: Visit, uid: string) {
  const { app, say } = await waitingApp(visit, interactionPath(uid))
  return {
    say,
    title: say('lost.title'),
    page: (
      <AuthFrame brand={readBrand()} say={say}>
        <LostInteraction say={say} appName={app?.name} />
      </AuthFrame>
    ),
  }
}

const textOr = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The scopes that give an app only information about the user's identity. */
const identityScopes = new Set(['openid', 'email', 'profile'])

/**
 * Returns the consent page. After a rejected submission, the page shows the reason and keeps the selection.
 * If the user cannot use the app, returns a page that explains why.
 */
async function showConsent(
  { open, session }: Extract<Step, { kind: 'consent' }>,
  query: Visit['query'],
  brand: Brand,
  say: Say,
): Promise<ShownPage> {
  const { interaction, client, scopes } = open
  const page = interactionPath(interaction.uid)
  const selected = typeof query.selected === 'string' ? new Set(query.selected.split(' ')) : undefined
  const apis = await requestedApis(scopes, interaction.params.resource)
  const view = await loadConsentView(session.actor, client, scopes, selected, apis)
  const title = say('consent.tab', { app: view.app.name })
  if (view.unavailable) {
    const redirectUri = interaction.params.redirect_uri
    const at = { action: `${page}/decision`, fields: {}, here: page, redirectUri }
    return {
      say,
      title,
      page: (
        <AuthFrame brand={brand} say={say} logo={false}>
          <AppUnavailable
            say={say}
            brand={brand}
            app={view.app}
            why={view.unavailable}
            user={session.user}
            {...at}
          />
        </AuthFrame>
      ),
    }
  }
  return {
    say,
    title,
    page: (
      <ConsentPage
        say={say}
        brand={brand}
        app={view.app}
        user={session.user}
        permissions={scopePermissions(say, view.scopes, view.added)}
        apis={view.apis}
        signsIn={
          view.scopes.every((scope) => identityScopes.has(scope)) &&
          view.kept.scopes.length === 0 &&
          view.apis.length === 0
        }
        earlier={<EarlierAccess say={say} appName={view.app.name} kept={view.kept} lost={view.lost} />}
        action={`${page}/decision`}
        switchAccountAction="/logout"
        fields={{ next: page }}
        returnHost={destinationName(interaction.params.redirect_uri)}
        onThisComputer={returnsToUserDevice(interaction.params.redirect_uri)}
        asked={view.asked}
        workspaces={view.workspaces}
        projects={view.projects}
        places={view.places}
        nothingSelected={query.refused === 'nothing-selected'}
        projectError={projectError(say, query.project)}
        error={query.refused === 'selection' ? say('consent.gone') : undefined}
        askable={view.askable}
        ask={<ApprovalRequests say={say} places={view.askable} outcome={textOr(query.asked)} />}
      />
    ),
  }
}

/** Returns the message for the error code of a failed project creation, or undefined for other values. */
export const projectError = (say: Say, code: unknown): string | undefined =>
  code === 'name' ? say('project.badName') : code === 'else' ? say('project.failed') : undefined
