import { ShieldCheck } from 'lucide-react'
import type { Metadata } from 'next'
import { AppAccess, AppIdentity } from '@/components/authorizations/app-summary'
import { LastActions } from '@/components/authorizations/last-actions'
import { RevokeApp } from '@/components/authorizations/revoke-app'
import { ButtonLink } from '@/components/ui/button-link'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { requireSession } from '@/lib/edges/web/session/current-session'
import { listAuthorizations } from '@/lib/features/apps/authorizations/list-authorizations'
import { listLastActions } from '@/lib/features/audit/list-last-actions'
import { needsSelection } from '@/lib/policy/scopes'
import { revokeAuthorizationAction } from './actions'

export const metadata: Metadata = { title: 'Authorized apps' }

const asksForSelection = (scopes: string[]) =>
  needsSelection(scopes, 'workspace') || needsSelection(scopes, 'project')

export default async function AuthorizedAppsPage() {
  const { actor } = await requireSession('/account/apps')
  const authorizations = await listAuthorizations(actor)
  const clientIds = authorizations.map(({ app }) => app.id)
  const actions = await listLastActions(actor, clientIds, 5)
  return (
    <Section
      title="Authorized apps"
      description="Apps that you let act for you, what each may do, and what it may touch."
      flush
    >
      {authorizations.length === 0 ? (
        <EmptyState icon={ShieldCheck} title="No authorized apps">
          When you sign in to an app with your account here, or let one use the API for you, it appears in
          this list.
        </EmptyState>
      ) : (
        <ul aria-label="Authorized apps">
          {authorizations.map((authorization) => (
            <li key={authorization.id} className="grid gap-4 border-b px-4 py-5 last:border-b-0 sm:px-6">
              <div className="flex flex-wrap items-start gap-3">
                <AppIdentity authorization={authorization} />
                {asksForSelection(authorization.scopes) && (
                  <ButtonLink href={`/account/apps/${authorization.id}`} size="small">
                    Change access <span className="sr-only">of {authorization.app.name}</span>
                  </ButtonLink>
                )}
                <RevokeApp
                  id={authorization.id}
                  name={authorization.app.name}
                  revoke={revokeAuthorizationAction}
                />
              </div>
              <AppAccess authorization={authorization} />
              <LastActions actions={actions.filter(({ actorId }) => actorId === authorization.app.id)} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
