import { z } from 'zod'
import { isScope } from '@/lib/policy/scopes'

const ids = z.array(z.uuid('Not an id.')).max(1000, 'Select at most 1,000.').default([])

/** The workspaces and projects a person shares with an app; the same for the consent form, Account > Apps and GraphQL. */
const selectionInput = z.object({ workspaceIds: ids, projectIds: ids })

/** A later change of it, with the scopes that the page showed it for. */
export const changedSelectionInput = selectionInput.extend({ shownScopes: z.array(z.string()).optional() })

/** What a person allows an app at the consent page. */
export const authorizationInput = selectionInput.extend({
  clientId: z.string().min(1),
  scopes: z.array(z.string()).transform((scopes) => scopes.filter(isScope)),
})

export type Selection = z.output<typeof selectionInput>
