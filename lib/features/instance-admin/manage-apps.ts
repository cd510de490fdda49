import { z } from 'zod'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { log } from '@/lib/base/log/log'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { lockInstanceAdminRole } from '@/lib/policy/lock-role'

/**
 * Changes an app and records an event in the same transaction. Changes nothing and records no event if the
 * app does not match `where`.
 * @param more.version the version of the app that the admin saw (`versionInput`)
 * @throws AppError CONFLICT if the app matches `where` in another version, and FORBIDDEN, NOT_FOUND
 */
async function change(
  actor: Actor,
  id: string,
  action: string,
  where: Prisma.OAuthClientWhereInput,
  data: Prisma.OAuthClientUpdateManyMutationInput,
  { version, word }: { version?: number; word?: string } = {},
): Promise<void> {
  authorizeInstance(actor)
  await prisma().$transaction(async (tx) => {
    await lockInstanceAdminRole(tx, actor)
    const app = await tx.oAuthClient.findUnique({ where: { id }, select: { workspaceId: true, name: true } })
    if (!app) throw new AppError('NOT_FOUND', 'The app was not found.')
    const { count } = await tx.oAuthClient.updateMany({
      where: { id, ...where, ...(version !== undefined && { version }) },
      data: { ...data, version: { increment: 1 } },
    })
    if (count === 0) {
      if ((await tx.oAuthClient.count({ where: { id, ...where } })) === 0) return
      throw new AppError('CONFLICT', 'The app changed. Reload and try again.')
    }
    await recordEvent(tx, actor, {
      action,
      resource: { type: 'oauth_app', id },
      workspaceId: app.workspaceId,
      details: { name: app.name, ...(word ? { word } : {}) },
    })
  })
  log.info('an instance admin acted', { action, instanceAdmin: actor.userId, app: id })
}

/**
 * Sets an app's `disabledAt` or `verifiedAt` to the current time, or clears it. Does nothing if the app is
 * already in the desired state.
 */
const mark = (
  actor: Actor,
  id: string,
  action: string,
  column: 'disabledAt' | 'verifiedAt',
  set: boolean,
  more?: { version?: number; word?: string },
) =>
  change(
    actor,
    id,
    action,
    { [column]: set ? null : { not: null } },
    { [column]: set ? new Date() : null },
    more,
  )

/**
 * Disables or enables an app. A disabled app cannot sign users in, and its tokens are rejected on the next
 * request.
 * @throws AppError FORBIDDEN, NOT_FOUND
 */
export const setAppDisabled = (actor: Actor, id: string, disabled: boolean): Promise<void> =>
  mark(actor, id, disabled ? 'oauth_app.disabled' : 'oauth_app.enabled', 'disabledAt', disabled)

/**
 * The schema for the version of the app that the admin saw. Every change of an app increments its version
 * (ADR 0039), so a decision applies to what the page showed. A missing version matches no app.
 */
const versionInput = z.coerce.number().pipe(z.int32()).catch(-1)

const decisionInput = z.object({
  decision: z.enum(['verify', 'decline'], { error: 'Verify or decline the app.' }),
  version: versionInput,
  word: z.string().trim().max(500, 'Write at most 500 characters.').default(''),
})

/**
 * Verifies an app or declines to verify it, and notifies the app's admins, with the message if there is one.
 * Verifying an app that is already verified does nothing. Declining removes an existing verification, and is
 * recorded even if the app was not verified. An app that does not belong to a workspace can be neither
 * verified nor declined, because no one is responsible for it.
 * @param input contains `decision` (verify or decline), `version` (which the admin saw; not checked when
 * declining), and `word`, the message
 * @throws AppError BAD_USER_INPUT, CONFLICT (the app does not belong to a workspace, or it changed),
 * FORBIDDEN, NOT_FOUND
 */
export async function decideVerification(actor: Actor, id: string, input: unknown): Promise<void> {
  authorizeInstance(actor)
  const { decision, version, word } = parseInput(decisionInput, input)
  const app = await prisma().oAuthClient.findUnique({
    where: { id },
    select: { workspaceId: true, name: true, verifiedAt: true },
  })
  if (!app) throw new AppError('NOT_FOUND', 'The app was not found.')
  if (!app.workspaceId)
    throw new AppError('CONFLICT', 'This app doesn’t belong to a workspace, so it can’t be verified.')
  if (decision === 'verify')
    return mark(actor, id, 'oauth_app.verified', 'verifiedAt', true, { version, word })
  if (app.verifiedAt) return mark(actor, id, 'oauth_app.unverified', 'verifiedAt', false, { word })
  await prisma().$transaction(async (tx) => {
    await lockInstanceAdminRole(tx, actor)
    await recordEvent(tx, actor, {
      action: 'oauth_app.verification_declined',
      resource: { type: 'oauth_app', id },
      workspaceId: app.workspaceId,
      details: { name: app.name, ...(word ? { word } : {}) },
    })
  })
}

/**
 * Approves a self-registered app, so that users can authorize it. Does nothing if the app is not waiting for
 * approval.
 * @param input contains `version`, which the admin saw
 * @throws AppError CONFLICT (the app changed), FORBIDDEN, NOT_FOUND
 */
export async function approveApp(actor: Actor, id: string, input: unknown): Promise<void> {
  const more = parseInput(z.object({ version: versionInput }), input)
  await change(actor, id, 'oauth_app.approved', { awaitingApproval: true }, { awaitingApproval: false }, more)
}
