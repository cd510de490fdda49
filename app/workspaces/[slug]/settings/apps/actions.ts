'use server'
import { redirect } from 'next/navigation'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import {
  approveApp,
  blockApp,
  declineRequests,
  revokeForAllUsers,
  withdrawDecision,
} from '@/lib/features/app-access/decide'
import {
  installApp,
  resumeInstallation,
  suspendInstallation,
  uninstallApp,
} from '@/lib/features/app-access/installations'
import { setPolicy, setRequiredApprovals } from '@/lib/features/app-access/policy'
import { requireWorkspace } from '@/lib/policy/require'

const shown = '/workspaces/[slug]/settings/apps'

export const setPolicyAction = changeAction(async (actor, { id = '', policy }) => {
  await setPolicy(actor, id, { policy })
  const { slug } = await requireWorkspace(actor, 'workspace:read', id)
  redirect(`/workspaces/${slug}/settings/apps`)
}, shown)

export const setRequiredApprovalsAction = changeAction(
  (actor, { id = '', requiresApprovalFor = '' }) => setRequiredApprovals(actor, id, { requiresApprovalFor }),
  shown,
)

export const approveAppAction = changeAction(
  (actor, { id = '', clientId = '', projectIds, ...input }) =>
    approveApp(actor, id, clientId, {
      ...input,
      scopes: input.scopes ?? '',
      ...(projectIds && { projectIds }),
    }),
  shown,
)

export const declineRequestsAction = changeAction(
  (actor, { id = '', clientId = '', word = '' }) => declineRequests(actor, id, clientId, { word }),
  shown,
)

export const blockAppAction = changeAction(
  (actor, { id = '', clientId = '' }) => blockApp(actor, id, clientId),
  shown,
)

export const withdrawDecisionAction = changeAction(
  (actor, { id = '', clientId = '' }) => withdrawDecision(actor, id, clientId),
  shown,
)

export const installAppAction = changeAction(
  async (actor, { id = '', clientId = '', projectIds, ...input }) => {
    await installApp(actor, id, clientId, { scopes: input.scopes ?? '', ...(projectIds && { projectIds }) })
    const { slug } = await requireWorkspace(actor, 'workspace:read', id)
    redirect(`/workspaces/${slug}/settings/apps/${encodeURIComponent(clientId)}`)
  },
  shown,
)

export const suspendAppAction = changeAction(
  (actor, { id = '', clientId = '' }) => suspendInstallation(actor, id, clientId),
  shown,
)

export const resumeAppAction = changeAction(
  (actor, { id = '', clientId = '' }) => resumeInstallation(actor, id, clientId),
  shown,
)

export const uninstallAppAction = changeAction(
  (actor, { id = '', clientId = '' }) => uninstallApp(actor, id, clientId),
  shown,
)

export const revokeForAllUsersAction = changeAction(
  (actor, { id = '', clientId = '' }) => revokeForAllUsers(actor, id, clientId),
  shown,
)
