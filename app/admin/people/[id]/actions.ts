'use server'
import { changeAction, formAction } from '@/lib/edges/web/forms/submit-form'
import {
  makeResetLink,
  removeTwoFactorMethods,
  setInstanceAdmin,
  signOutUser,
  suspendUser,
  unsuspendUser,
} from '@/lib/features/instance-admin/manage-users'

const shown = '/admin'

export const suspendAction = changeAction((actor, { id = '' }) => suspendUser(actor, id), shown)

export const unsuspendAction = changeAction((actor, { id = '' }) => unsuspendUser(actor, id), shown)

export const signOutAction = changeAction((actor, { id = '' }) => signOutUser(actor, id), shown)

export const removeFactorsAction = changeAction(
  (actor, { id = '' }) => removeTwoFactorMethods(actor, id),
  shown,
)

export const addInstanceAdminAction = changeAction(
  (actor, { id = '' }) => setInstanceAdmin(actor, id, true),
  shown,
)

export const removeInstanceAdminAction = changeAction(
  (actor, { id = '' }) => setInstanceAdmin(actor, id, false),
  shown,
)

/** Creates a password reset link for a user. Returns the link, which no other response contains. */
export const resetLinkAction = formAction((actor, { id = '' }) => makeResetLink(actor, id))
