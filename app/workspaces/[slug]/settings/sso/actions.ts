'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { removeProvider, setProvider } from '@/lib/features/sso/identity-provider'
import { allowManagedApp, removeManagedApp } from '@/lib/features/sso/managed-apps'
import { verifySsoDomain } from '@/lib/features/sso/sso-domain'
import { allowRemovedMember } from '@/lib/features/workspaces/former-members'

const shown = '/workspaces/[slug]/settings/sso'

export const setProviderAction = changeAction(
  (actor, { id = '', ...input }) => setProvider(actor, id, input),
  shown,
)

export const verifyDomainAction = changeAction((actor, { id = '' }) => verifySsoDomain(actor, id), shown)

export const removeProviderAction = changeAction((actor, { id = '' }) => removeProvider(actor, id), shown)

export const allowRemovedAction = changeAction(
  (actor, { id = '', userId = '' }) => allowRemovedMember(actor, id, userId),
  shown,
)

export const allowAppAction = changeAction(
  (actor, { id = '', clientId, scopes = '' }) => allowManagedApp(actor, id, { clientId, scopes }),
  shown,
)

export const forbidAppAction = changeAction(
  (actor, { id = '', clientId = '' }) => removeManagedApp(actor, id, clientId),
  shown,
)
