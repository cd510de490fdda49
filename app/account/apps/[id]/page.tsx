import type { Metadata } from 'next'
import { AppAccess } from '@/components/authorizations/app-summary'
import { RevokeApp, shownAuthorization } from '@/components/authorizations/authorization-list'
import { LastActions } from '@/components/authorizations/last-actions'
import { SelectionForm } from '@/components/authorizations/selection-form'
import { PageHeader } from '@/components/frame/page-header'
import { Section } from '@/components/ui/card'
import { Stack } from '@/components/ui/stack'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { requireSession } from '@/lib/edges/web/current-session'
import { equivalentScopes, scopeNames } from '@/lib/features/apps/authorizations/api-grants'
import { readAuthorization } from '@/lib/features/apps/authorizations/list-authorizations'
import {
  loadSelectable,
  selectableFamilies,
  selectionGroups,
} from '@/lib/features/apps/authorizations/selectable'
import { listLastActions } from '@/lib/features/audit/list-last-actions'
import { revokeAuthorizationAction, updateSelectionAction } from '../actions'

type Props = { params: Promise<{ id: string }> }

async function openAuthorization(params: Props['params']) {
  const { id } = await params
  const session = await requireSession(`/account/apps/${id}`)
  return { ...session, authorization: await orNotFound(readAuthorization(session.actor, id)) }
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await openAuthorization(params)).authorization.app.name }
}

export default async function AuthorizedAppPage({ params }: Props) {
  const { actor, authorization } = await openAuthorization(params)
  const { id, app } = authorization
  const actions = await listLastActions(actor, [app.id], 20)
  const scopes = [...authorization.scopes, ...scopeNames(authorization.apis)]
  const judgedBy = [...authorization.scopes, ...equivalentScopes(authorization.apis)]
  const families = selectableFamilies(judgedBy)
  const shared = new Set([...authorization.workspaces, ...authorization.projects].map((each) => each.id))
  const selectable = await loadSelectable(actor, families, { clientId: app.id, workspaceId: app.workspaceId })
  const groups = selectionGroups(families, selectable, shared, judgedBy)
  return (
    <>
      <PageHeader
        title={app.name}
        trail={[{ label: 'Authorized apps', href: '/account/apps' }]}
        description={app.workspaceName ? `by ${app.workspaceName}` : 'Self-registered, not verified'}
        action={<RevokeApp id={id} name={app.name} revoke={revokeAuthorizationAction} />}
      />
      <Stack>
        <Section title="Access now">
          <AppAccess authorization={shownAuthorization(authorization)} />
          <LastActions actions={actions} />
        </Section>
        {(groups.workspaces || groups.projects) && (
          <SelectionForm id={id} scopes={scopes} {...groups} action={updateSelectionAction} />
        )}
      </Stack>
    </>
  )
}
