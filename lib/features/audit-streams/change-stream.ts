import { z } from 'zod'
import { seal } from '@/lib/base/credentials/seal'
import { uniqueViolation } from '@/lib/base/db/database-errors'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { outboundUrlProblem } from '@/lib/base/outbound/check-url'
import { recordEvent } from '@/lib/features/audit/record-event'
import { messageUrl, recordedUrl } from '@/lib/features/webhooks/change-webhook'
import { mintSigningSecret } from '@/lib/features/webhooks/deliver'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { allowanceFor, holdPlace, type Place, requirePlace } from './read-stream'

/**
 * The number of hours after a rotation during which messages are also signed with the previous secret.
 * Receivers need this time to switch to the new secret.
 */
const overlapHours = 24

/**
 * The `nextAt` of a stream whose next attempt is due immediately. The time is far in the past, because the
 * clocks of the servers might differ.
 */
const atOnce = new Date(0)

const sealed = (secret: string) => Uint8Array.from(seal(secret, 'audit-stream-secret'))

const urlOf = (placeId: string, input: unknown): string =>
  parseInput(
    z.object({ url: messageUrl((value) => outboundUrlProblem(value, allowanceFor(placeId, value))) }),
    input,
  ).url

/**
 * Creates a stream that sends an audit log to a URL. The first event is the stream's own creation.
 * @param input contains `url`, an https URL. If the host is a non-public IP address, it must be in a network
 * that `allowanceFor` allows. If the host is a name, its IP address is checked when a message is sent.
 * @returns the signing secret, which is returned only once
 * @throws AppError BAD_USER_INPUT, CONFLICT (a stream exists), or the errors of `requirePlace`
 */
export async function createStream(actor: Actor, place: Place, input: unknown): Promise<{ secret: string }> {
  const { placeId } = await requirePlace(actor, place)
  const url = urlOf(placeId, input)
  const secret = mintSigningSecret()
  try {
    await prisma().$transaction(async (tx) => {
      await holdPlace(tx, actor, place)
      await tx.auditStream.create({ data: { placeId, url, sealedSecret: sealed(secret) } })
      await record(tx, actor, place, 'audit_stream.created', { url: recordedUrl(url) })
    })
  } catch (error) {
    if (uniqueViolation(error))
      throw new AppError('CONFLICT', 'The audit log already has a stream. Delete that stream first.')
    throw error
  }
  return { secret }
}

/**
 * Changes a stream's URL. Unless the stream is paused or stopped, the next attempt, which sends queued events
 * to the new URL, is due immediately.
 * @throws AppError BAD_USER_INPUT, NOT_FOUND, or the errors of `requirePlace`
 */
export async function updateStream(actor: Actor, place: Place, input: unknown): Promise<void> {
  const { placeId } = await requirePlace(actor, place)
  const url = urlOf(placeId, input)
  await change(actor, place, 'audit_stream.updated', { url: recordedUrl(url) }, { url, nextAt: atOnce })
}

/**
 * Pauses or resumes a stream. A resumed stream immediately continues with its queued events, and its failure
 * count is reset.
 * @throws AppError NOT_FOUND, or the errors of `requirePlace`
 */
export async function switchStream(actor: Actor, place: Place, enabled: boolean): Promise<void> {
  const data = enabled
    ? { disabledAt: null, failingSince: null, failures: 0, nextAt: atOnce }
    : { disabledAt: new Date() }
  await change(actor, place, enabled ? 'audit_stream.resumed' : 'audit_stream.paused', {}, data)
}

/**
 * Makes a stream's next attempt due immediately. A failing stream then does not wait for the rest of its
 * delay. A paused or stopped stream stays paused or stopped.
 * @throws AppError NOT_FOUND, or the errors of `requirePlace`
 */
export async function retryStream(actor: Actor, place: Place): Promise<void> {
  const { placeId } = await requirePlace(actor, place)
  const { count } = await prisma().auditStream.updateMany({
    where: { placeId },
    data: { nextAt: atOnce },
  })
  if (count === 0) throw unknown()
}

/**
 * Rotates a stream's signing secret. For a day, every message has two signatures, one for each secret. If the
 * previous rotation was less than a day ago, the secret that it replaced expires immediately.
 * @returns the new secret, which is returned only once
 * @throws AppError NOT_FOUND, or the errors of `requirePlace`
 */
export async function rotateStreamSecret(actor: Actor, place: Place): Promise<{ secret: string }> {
  const { placeId } = await requirePlace(actor, place)
  const secret = mintSigningSecret()
  await prisma().$transaction(async (tx) => {
    await holdPlace(tx, actor, place)
    // Copy the current secret in the same statement that replaces it. If two rotations run concurrently, the
    // second rotation then stores the secret from the first rotation as the previous secret.
    const changed = await tx.$executeRaw`
      UPDATE audit_streams SET sealed_previous_secret = sealed_secret, sealed_secret = ${sealed(secret)},
             previous_secret_expires_at = now() + make_interval(hours => ${overlapHours}::int)
       WHERE place_id = ${placeId}::uuid`
    if (changed === 0) throw unknown()
    await record(tx, actor, place, 'audit_stream.secret_rotated', {})
  })
  return { secret }
}

/**
 * Deletes a stream and its queued events, which are then not sent.
 * @throws AppError NOT_FOUND, or the errors of `requirePlace`
 */
export async function deleteStream(actor: Actor, place: Place): Promise<void> {
  const { placeId } = await requirePlace(actor, place)
  await prisma().$transaction(async (tx) => {
    await holdPlace(tx, actor, place)
    const { count } = await tx.auditStream.deleteMany({ where: { placeId } })
    if (count === 0) throw unknown()
    await tx.auditWaiting.deleteMany({ where: { placeId } })
    await record(tx, actor, place, 'audit_stream.deleted', {})
  })
}

async function change(
  actor: Actor,
  place: Place,
  action: string,
  details: Prisma.InputJsonObject,
  data: Prisma.AuditStreamUpdateManyMutationInput,
): Promise<void> {
  const { placeId } = await requirePlace(actor, place)
  await prisma().$transaction(async (tx) => {
    await holdPlace(tx, actor, place)
    const { count } = await tx.auditStream.updateMany({ where: { placeId }, data })
    if (count === 0) throw unknown()
    await record(tx, actor, place, action, details)
  })
}

const unknown = () => new AppError('NOT_FOUND', 'The audit log has no stream. Create one first.')

const record = (tx: Db, actor: Actor, place: Place, action: string, details: Prisma.InputJsonObject) =>
  recordEvent(tx, actor, {
    action,
    resource: { type: 'audit_stream', id: place === 'installation' ? place : place.workspaceId },
    workspaceId: place === 'installation' ? null : place.workspaceId,
    details,
  })
