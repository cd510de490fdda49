'use server'
import { changeAction, formAction } from '@/lib/edges/web/forms/submit-form'
import {
  createStream,
  deleteStream,
  retryStream,
  rotateStreamSecret,
  switchStream,
  updateStream,
} from '@/lib/features/audit-streams/change-stream'
import type { Place } from '@/lib/features/audit-streams/read-stream'

/**
 * The path to revalidate. This path includes all pages, because workspaces and the instance show streams on
 * different pages.
 */
const shown = '/'

/** Returns the owner of the stream that a form changes: a workspace, or the instance. */
const placeIn = ({ workspaceId }: Record<string, string>): Place =>
  workspaceId ? { workspaceId } : 'installation'

/** Creates a stream. Returns its secret, which no other response contains. */
export const createStreamAction = formAction((actor, input) => createStream(actor, placeIn(input), input))

export const updateStreamAction = changeAction(
  (actor, input) => updateStream(actor, placeIn(input), input),
  shown,
)

export const switchStreamAction = changeAction(
  (actor, input) => switchStream(actor, placeIn(input), input.enabled === 'on'),
  shown,
)

export const retryStreamAction = changeAction((actor, input) => retryStream(actor, placeIn(input)), shown)

/** Replaces the stream's secret. Returns the new secret, which no other response contains. */
export const rotateStreamSecretAction = formAction(
  (actor, input) => rotateStreamSecret(actor, placeIn(input)),
  shown,
)

export const deleteStreamAction = changeAction((actor, input) => deleteStream(actor, placeIn(input)))
