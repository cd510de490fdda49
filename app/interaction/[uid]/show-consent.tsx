import type { ShownPage, Visit } from '@/app/door/door-page'
import { AskAdmin, EarlierAccess } from '@/components/consent/consent-notes'
import { ConsentPage } from '@/components/consent/consent-page'
import { KeptOut } from '@/components/consent/kept-out'
import { scopePermissions } from '@/components/consent/permission-list'
import type { Brand } from '@/components/frame/brand'
import { DoorFrame } from '@/components/frame/door-frame'
import type { Say } from '@/lib/base/language/say'
import { loadConsentView } from '@/lib/edges/oauth/interaction/consent-view'
import { interactionPath, type Step } from '@/lib/edges/oauth/interaction/next-step'
import { destinationName, returnsToThisComputer } from '@/lib/edges/oauth/pages/confirm-redirect'

const textOr = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** What tells an app who somebody is, and no more. */
const identityScopes = new Set(['openid', 'email', 'profile'])

/** The consent page of an authorization request. After a form that was refused it says why and keeps what was chosen. */
export async function showConsent(
  { open, session }: Extract<Step, { kind: 'consent' }>,
  query: Visit['query'],
  brand: Brand,
  say: Say,
): Promise<ShownPage> {
  const { interaction, client, scopes } = open
  const page = interactionPath(interaction.uid)
  const selected = typeof query.selected === 'string' ? new Set(query.selected.split(' ')) : undefined
  const view = await loadConsentView(session.actor, client, scopes, selected)
  const title = say('consent.tab', { app: view.app.name })
  if (view.keptOut) {
    const redirectUri = interaction.params.redirect_uri
    const at = { action: `${page}/decision`, fields: {}, here: page, redirectUri }
    return {
      say,
      title,
      page: (
        <DoorFrame brand={brand} say={say} logo={false}>
          <KeptOut
            say={say}
            brand={brand}
            app={view.app}
            why={view.keptOut}
            person={session.person}
            {...at}
          />
        </DoorFrame>
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
        person={session.person}
        permissions={scopePermissions(say, view.scopes, view.added)}
        signsIn={view.scopes.every((scope) => identityScopes.has(scope)) && view.kept.scopes.length === 0}
        earlier={<EarlierAccess say={say} appName={view.app.name} kept={view.kept} lost={view.lost} />}
        action={`${page}/decision`}
        switchAccountAction="/logout"
        fields={{ next: page }}
        returnHost={destinationName(interaction.params.redirect_uri)}
        onThisComputer={returnsToThisComputer(interaction.params.redirect_uri)}
        asked={view.asked}
        workspaces={view.workspaces}
        projects={view.projects}
        places={view.places}
        nothingSelected={query.refused === 'nothing-selected'}
        projectError={projectError(say, query.project)}
        error={query.refused === 'selection' ? say('consent.gone') : undefined}
        ask={<AskAdmin say={say} places={view.askable} outcome={textOr(query.asked)} />}
      />
    ),
  }
}

/** What was wrong with a new project, by its code. */
export const projectError = (say: Say, code: unknown): string | undefined =>
  code === 'name' ? say('project.badName') : code === 'else' ? say('project.failed') : undefined
