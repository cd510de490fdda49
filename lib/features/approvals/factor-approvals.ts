import { z } from 'zod'
import { databaseNow } from '@/lib/base/db/clock'
import { type AttemptLimit, countAttempt } from '@/lib/base/db/limits'
import { isId, prisma } from '@/lib/base/db/prisma'
import { AppError, type ErrorDetails } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { displayToken } from '@/lib/features/api-tokens/list-api-tokens'
import { recordEvent } from '@/lib/features/audit/record-event'
import { requireFreshSignIn, requirePassword } from '@/lib/features/identity/two-factor/require-password'
import { twoFactorMethods } from '@/lib/features/identity/two-factor/two-factor-methods'
import type { TwoFactorApprovalRequest } from '@/lib/generated/prisma/client'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { describeChange, isChange, recordDenial, refusedMinutes } from '@/lib/policy/two-factor'
import {
  approvalUrl,
  type FactorApprovalState,
  isSignedIn,
  stateOfFactorRequest,
  unknownRequest,
} from './read-approval'

/** The number of minutes that an approval request stays open. */
const openMinutes = 15

/**
 * The maximum number of approval requests per hour that a user receives from all their tokens combined. A
 * limit per token would not be enough, because a token can create more tokens.
 */
export const factorRequestsPerHour = 10

const limit: AttemptLimit = {
  name: 'factor-ask',
  points: factorRequestsPerHour,
  seconds: 3600,
  message: 'The user has received too many approval requests. Try again in an hour.',
}

/**
 * Returns the current state of a request. An approval is over when the session in which it was given has
 * ended.
 */
async function currentState(ask: TwoFactorApprovalRequest): Promise<FactorApprovalState> {
  const state = stateOfFactorRequest(ask)
  return state === 'approved-once' && !(await isSignedIn(ask.approvedIn)) ? 'over' : state
}

/** The states of a request that is still open or whose decision is still valid. */
const current: readonly FactorApprovalState[] = ['open', 'denied', 'approved-once']

/**
 * Opens a token's request to change its user's two-factor authentication, and notifies the user. If an open
 * request or a valid decision for the same change exists, only returns the URL of its page. There is a
 * separate request for each combination of token, change, passkey, and IP address. If a token requests
 * another new name for the same passkey, the new request replaces the earlier one.
 * @param details the details of the error that rejected the change
 * @returns the URL of the page where the user decides
 * @throws AppError RATE_LIMITED
 */
export async function openFactorRequest(
  actor: Extract<Actor, { kind: 'account-token' }>,
  { permission: change = '', resource, wanted = '' }: ErrorDetails,
): Promise<{ approvalUrl: string }> {
  const { userId, tokenId } = actor
  const factorId = resource?.type === 'passkey' ? resource.id : ''
  // The IP address is part of the key, because the approval page shows it. If the token is used from another
  // IP address, a separate request opens.
  const key = { tokenId, change, factorId, ip: actor.ip ?? null }
  const known = await prisma().twoFactorApprovalRequest.findFirst({ where: key })
  if (known && known.wanted === wanted && current.includes(await currentState(known)))
    return { approvalUrl: approvalUrl(known.id) }
  await countAttempt(limit, userId)
  const id = await prisma().$transaction(async (tx) => {
    // Delete the earlier request, so that the new request gets a new ID. A page that is still open for the
    // earlier request then cannot decide the new request.
    if (known) await tx.twoFactorApprovalRequest.deleteMany({ where: { id: known.id } })
    const validUntil = new Date(databaseNow() + openMinutes * 60_000)
    const made = await tx.twoFactorApprovalRequest.createManyAndReturn({
      data: [{ ...key, userId, wanted, validUntil }],
      skipDuplicates: true,
      select: { id: true },
    })
    // If a concurrent API request with the same token has already opened the approval request, return that
    // request's ID.
    if (!made[0]) return (await tx.twoFactorApprovalRequest.findFirstOrThrow({ where: key })).id
    const { id } = made[0]
    const token = await tx.apiToken.findUniqueOrThrow({ where: { id: tokenId } })
    await recordEvent(tx, actor, {
      action: 'approval.requested',
      resource: { type: 'approval', id },
      details: {
        permission: change,
        token: `${token.name} (${displayToken(token)})`,
        name: (await nameFactor(key))?.name ?? describeChange(change).wants,
        ...(wanted && { wanted }),
      },
    })
    return id
  })
  return { approvalUrl: approvalUrl(id) }
}

/** A token's request to change two-factor authentication, as shown on its page. */
export type FactorApprovalView = {
  id: string
  token: { name: string; display: string; createdAt: Date; lastUsedAt: Date | null }
  /** A description of the change, such as "Remove a passkey". */
  wants: string
  /** A description of the consequences of the change. */
  means: string
  /**
   * The passkey that the change concerns. Undefined if it concerns no passkey. Null if the passkey no longer
   * exists.
   */
  passkey?: NamedFactor | null
  /** The new name of the passkey. Empty if the change does not set a name. */
  wanted: string
  askedAt: Date
  /** The IP address that sent the request, if known. */
  ip: string | null
  state: FactorApprovalState
}

/**
 * Returns a token's approval request, or undefined if there is no such request or it belongs to another user.
 */
export async function readFactorApproval(
  actor: SessionActor,
  id: string,
): Promise<FactorApprovalView | undefined> {
  const ask = isId(id)
    ? await prisma().twoFactorApprovalRequest.findFirst({
        where: { id, userId: actor.userId },
        include: { token: true },
      })
    : null
  if (!ask) return undefined
  const { token, change, factorId, wanted, ip, createdAt } = ask
  const passkey = await nameFactor(ask)
  return {
    id,
    token: {
      name: token.name,
      display: displayToken(token),
      createdAt: token.createdAt,
      lastUsedAt: token.lastUsedAt,
    },
    ...describeChange(change),
    ...(factorId && { passkey }),
    wanted,
    askedAt: createdAt,
    ip,
    state: await currentState(ask),
  }
}

const shown = { name: true, createdAt: true, lastUsedAt: true } as const

/** A passkey's name and the details that distinguish the passkey from others with the same name. */
type NamedFactor = { name: string; createdAt: Date; lastUsedAt: Date | null }

/**
 * Returns the passkey that a change concerns, or null if the change concerns no passkey or the passkey no
 * longer exists.
 */
const nameFactor = async ({ factorId }: { factorId: string }): Promise<NamedFactor | null> =>
  factorId ? prisma().passkey.findUnique({ where: { id: factorId }, select: shown }) : null

const decisionInput = z.object({
  decision: z.enum(['once', 'deny'], { error: 'Approve or deny the request.' }),
  password: z.string().max(1000, 'This password is incorrect.').default(''),
})

/** The number of minutes that each decision is valid. */
const counts = { once: 10, deny: refusedMinutes }

/**
 * Records the user's decision on a token's request to change two-factor authentication. The decision takes
 * effect at the token's next API request. To approve, the user must have signed in within the last 15
 * minutes, with two-factor authentication if the user has it, and a user who has a password must enter it
 * each time. These requirements are stricter than for the same change in the console, because the user did
 * not start the change. Declining has no such requirements. Declining withdraws all the user's valid
 * approvals of such requests, and blocks new requests from all the user's tokens for `refusedMinutes`
 * minutes.
 * @param input `decision`: `once` or `deny`; `password`: required to approve if the user has one
 * @throws AppError BAD_USER_INPUT for `decision` or `password`, NOT_FOUND (no such request, or it belongs to
 * another user), FORBIDDEN (the user must sign in again), RATE_LIMITED, CONFLICT (the request was already
 * decided or has expired, or the user approves a change that this release does not support)
 */
export async function decideFactorApproval(actor: SessionActor, id: string, input: unknown): Promise<void> {
  const { decision, password } = parseInput(decisionInput, input)
  const where = { id: isId(id) ? id : { in: [] }, userId: actor.userId }
  const ask = await prisma().twoFactorApprovalRequest.findFirst({
    where,
    include: { token: { select: { name: true } } },
  })
  if (!ask) throw unknownRequest()
  if (decision === 'once') {
    // During an update, a newer release can open requests for changes that this release cannot describe. In
    // this release, users can deny such a request, but they cannot approve it.
    if (!isChange(ask.change))
      throw new AppError(
        'CONFLICT',
        'This change can’t be approved until the update of this instance is complete. Try again later.',
      )
    await requireSelf(actor, password)
  }
  await prisma().$transaction(async (tx) => {
    const { count } = await tx.twoFactorApprovalRequest.updateMany({
      where: {
        ...where,
        state: decision === 'deny' ? { in: ['OPEN', 'APPROVED'] } : 'OPEN',
        usedAt: null,
        validUntil: { gt: new Date(databaseNow()) },
      },
      data: {
        state: decision === 'deny' ? 'DENIED' : 'APPROVED',
        approvedIn: decision === 'deny' ? null : actor.sessionId,
        validUntil: new Date(databaseNow() + counts[decision] * 60_000),
      },
    })
    if (count === 0) throw new AppError('CONFLICT', 'This request was already answered or has expired.')
    if (decision === 'deny') await recordDenial(tx, actor.userId)
    await recordEvent(tx, actor, {
      action: decision === 'deny' ? 'approval.denied' : 'approval.approved',
      resource: { type: 'approval', id },
      details: {
        name: ask.token.name,
        tokenId: ask.tokenId,
        permission: ask.change,
        ...(ask.factorId && { resource: { type: 'passkey', id: ask.factorId } }),
        ...(ask.wanted && { wanted: ask.wanted }),
      },
    })
  })
}

async function requireSelf(actor: SessionActor, password: string): Promise<void> {
  await requireFreshSignIn(actor)
  if (await lacksTwoFactor(actor)) {
    throw new AppError(
      'FORBIDDEN',
      'To approve the request, sign out and sign in again with two-factor authentication.',
    )
  }
  await requirePassword(actor, password, { eachTime: true })
}

/** Returns whether a session began without two-factor authentication although its user has a method now. */
export const lacksTwoFactor = async (actor: SessionActor): Promise<boolean> =>
  !actor.twoFactor && (await twoFactorMethods(actor.userId)).enrolled
