'use server'
import { changeAction, formAction } from '@/lib/edges/web/forms/submit-form'
import {
  makeResetLink,
  removeSecondFactors,
  setOperator,
  signOutPerson,
  suspendPerson,
  unsuspendPerson,
} from '@/lib/features/operator/manage-people'

const shown = '/operator'

export const suspendAction = changeAction((actor, { id = '' }) => suspendPerson(actor, id), shown)

export const unsuspendAction = changeAction((actor, { id = '' }) => unsuspendPerson(actor, id), shown)

export const signOutAction = changeAction((actor, { id = '' }) => signOutPerson(actor, id), shown)

export const removeFactorsAction = changeAction((actor, { id = '' }) => removeSecondFactors(actor, id), shown)

export const addOperatorAction = changeAction((actor, { id = '' }) => setOperator(actor, id, true), shown)

export const removeOperatorAction = changeAction((actor, { id = '' }) => setOperator(actor, id, false), shown)

/** The link travels in the answer to this one request and is kept nowhere. */
export const resetLinkAction = formAction((actor, { id = '' }) => makeResetLink(actor, id))
