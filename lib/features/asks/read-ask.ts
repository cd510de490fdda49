import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import type { SessionActor } from '@/lib/policy/actor'
import { wantsTo } from '@/lib/policy/ask-first'
import { isId } from '@/lib/policy/require'
import { type AskState, stateOf } from './ask-state'
import { nameThing } from './name-thing'

/** What an app wants to do for a person, in the words of the page where they answer. */
export type AskView = {
  id: string
  app: {
    id: string
    name: string
    logoUrl: string | null
    logoDarkUrl: string | null
    verified: boolean
    publisher: string | null
  }
  /** Such as "Delete". */
  wants: string
  thing: { type: string; name: string; within?: string } | null
  workspace: string
  tool: string | null
  askedAt: Date
  state: AskState
  /** Until when it can be answered, or its answer counts. */
  validUntil: Date
}

/**
 * A question that an app has for a person.
 * @throws AppError NOT_FOUND: there is none, or it is somebody else's
 */
export async function readAsk(actor: SessionActor, id: string): Promise<AskView> {
  const ask = isId(id)
    ? await prisma().ask.findFirst({
        where: { id, userId: actor.userId },
        include: { client: { include: { workspace: { select: { name: true } } } }, workspace: true },
      })
    : null
  if (!ask) throw unknownAsk()
  const { client, permission, resourceType: type, resourceId, validUntil } = ask
  const named = await nameThing({ type, id: resourceId })
  return {
    id: ask.id,
    app: {
      id: client.id,
      name: client.name,
      logoUrl: client.logoUrl,
      logoDarkUrl: client.logoDarkUrl,
      verified: client.verifiedAt !== null,
      publisher: client.workspace?.name ?? null,
    },
    wants: wantsTo(permission),
    thing: named ? { type, ...named } : null,
    workspace: ask.workspace.name,
    tool: ask.tool,
    askedAt: ask.createdAt,
    state: stateOf(ask),
    validUntil,
  }
}

export const unknownAsk = () =>
  new AppError('NOT_FOUND', 'There is no such question, or it is for somebody else.')
