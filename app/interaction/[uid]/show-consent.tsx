import type { Visit } from '@/app/door/door-page'
import { AskAdmin } from '@/components/consent/ask-admin'
import { ConsentCard } from '@/components/consent/consent-card'
import { EarlierAccess } from '@/components/consent/earlier-access'
import { scopePermissions } from '@/components/consent/scope-permissions'
import type { Brand } from '@/components/frame/brand'
import { CardFrame } from '@/components/frame/card-frame'
import { loadConsentView } from '@/lib/edges/oauth/interaction/consent-view'
import { interactionPath, type Step } from '@/lib/edges/oauth/interaction/next-step'
import { destinationName, returnsToThisComputer } from '@/lib/edges/oauth/pages/destination'

const textOr = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The consent page of an authorization request. After a form that was refused it says why and keeps what was chosen. */
export async function showConsent(
  { open, session }: Extract<Step, { kind: 'consent' }>,
  query: Visit['query'],
  brand: Brand,
) {
  const { interaction, client, scopes } = open
  const page = interactionPath(interaction.uid)
  const selected = typeof query.selected === 'string' ? new Set(query.selected.split(' ')) : undefined
  const view = await loadConsentView(session.actor, client, scopes, selected)
  return (
    <CardFrame brand={brand} logo={false}>
      <ConsentCard
        brand={brand}
        app={view.app}
        person={session.person}
        permissions={scopePermissions(view.scopes)}
        earlier={<EarlierAccess appName={view.app.name} kept={view.kept} lost={view.lost} />}
        action={`${page}/decision`}
        switchAccountAction="/logout"
        fields={{ next: page }}
        returnHost={destinationName(interaction.params.redirect_uri)}
        onThisComputer={returnsToThisComputer(interaction.params.redirect_uri)}
        workspaces={view.workspaces}
        projects={view.projects}
        nothingSelected={query.refused === 'nothing-selected'}
        error={
          query.refused === 'selection'
            ? 'Something you selected is no longer there, or you lost access to it. Look through the list again.'
            : undefined
        }
        ask={<AskAdmin places={view.askable} outcome={textOr(query.asked)} />}
        createHref="/"
      />
    </CardFrame>
  )
}
