import { type AttemptLimit, countAttempt } from '@/lib/base/db/attempt-limit'
import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { type ErrorDetails, isAppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor, OAuthActor } from '@/lib/policy/actor'
import { wantsTo } from '@/lib/policy/ask-first'
import { askUrl, laterAlone } from './ask-address'
import { stateOf } from './ask-state'
import { nameThing } from './name-thing'

/** How long a question can be answered. */
const openMinutes = 60

const limit: AttemptLimit = {
  name: 'ask-first',
  points: 60,
  seconds: 3600,
  message: 'This app has asked the person for a lot already. Try again in an hour.',
}

/**
 * Opens the questions that an operation was refused for, and adds to each refusal the page where its person answers. The
 * person is told; asking again while a question is open changes nothing.
 * @param errors what the operation threw
 */
export async function openAsks(actor: Actor, errors: readonly unknown[]): Promise<void> {
  if (actor.kind !== 'oauth') return
  for (const error of errors) {
    if (isAppError(error) && error.code === 'APPROVAL_REQUIRED') {
      Object.assign(error.details, await openAsk(actor, error.details).catch(laterAlone))
    }
  }
}

async function openAsk(actor: OAuthActor, details: ErrorDetails): Promise<{ approvalUrl: string }> {
  const { permission = '', resource = { type: '', id: '' }, workspaceId = '' } = details
  const { userId, clientId } = actor
  const key = { userId, clientId, permission, resourceType: resource.type, resourceId: resource.id }
  const where = { userId_clientId_permission_resourceType_resourceId: key }
  const known = await prisma().ask.findUnique({ where })
  // One that is used or over counts no more, so that it is asked anew.
  if (known && !['used', 'over'].includes(stateOf(known))) return { approvalUrl: askUrl(known.id) }
  await countAttempt(limit, actor.authorizationId ?? `${clientId} ${userId}`)
  const id = await prisma().$transaction(async (tx) => {
    // A new id: a page that was open for an earlier question answers nothing else.
    if (known) await tx.ask.deleteMany({ where: { id: known.id } })
    const validUntil = new Date(databaseNow() + openMinutes * 60_000)
    const made = await tx.ask.createManyAndReturn({
      data: [{ ...key, workspaceId, tool: actor.tool?.name ?? null, validUntil }],
      skipDuplicates: true,
      select: { id: true },
    })
    // Another request of the app asks the same at this moment.
    if (!made[0]) return (await tx.ask.findUniqueOrThrow({ where })).id
    const { id } = made[0]
    const [app, thing] = await Promise.all([
      tx.oAuthClient.findUnique({ where: { id: clientId }, select: { name: true } }),
      nameThing(resource),
    ])
    await recordEvent(tx, actor, {
      action: 'ask.opened',
      resource: { type: 'ask', id },
      workspaceId,
      details: {
        permission,
        resource,
        app: app?.name ?? clientId,
        name: thing?.name ?? resource.id,
        wants: wantsTo(permission),
      },
    })
    return id
  })
  return { approvalUrl: askUrl(id) }
}
