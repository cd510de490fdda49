import { randomUUID } from 'node:crypto'
import { type Config, config } from '@/lib/base/config/env'
import { statement } from '@/lib/base/db/statement'
import { AppError } from '@/lib/base/errors/app-error'
import type { Actor, OAuthActor } from './actor'
import type { AskRules } from './admission'
import type { Permission } from './permissions'

/**
 * What a person may be asked about before an app does it for them: one more factor of an app's rights, beside role, scopes,
 * selection and the workspace's policy, at every edge. The operator (ASK_FIRST) or the workspace marks some of it. Sessions and
 * API tokens are the person, and behind an installation there is nobody to ask: an admin installed it for just that.
 * See decision 203.
 */
export type Askable = Config['ASK_FIRST'][number]

/** Each in the words of the settings, and as what an app wants to do to one thing. */
export const askable: Record<Askable, { label: string; wants: string }> = {
  'project:delete': { label: 'Delete a project or an environment', wants: 'Delete' },
  'project:transfer': { label: 'Move a project to another workspace', wants: 'Move to another workspace' },
  'project:read-values': { label: 'Read the values of variables', wants: 'Read the values of variables of' },
  'project:write-variables': { label: 'Set and delete variables', wants: 'Set or delete variables of' },
  'workspace:manage-secrets': {
    label: 'Make, rotate or revoke the secret of an OAuth app or a webhook',
    wants: 'Make, rotate or revoke a secret of',
  },
  'workspace:delete': { label: 'Delete the workspace', wants: 'Delete' },
}

export const isAskable = (permission: string): permission is Askable => Object.hasOwn(askable, permission)

/** What an app wants to do, in the words of its question; one that can no longer be marked says its own name. */
export const wantsTo = (permission: string): string =>
  isAskable(permission) ? askable[permission].wants : permission

type Thing = { type: string; id: string }

/** How long nothing is asked again after a no. */
export const deniedMinutes = 10

type Key = [userId: string, clientId: string, permission: string, type: string, id: string]

const isIt =
  'user_id = $1 AND client_id = $2 AND permission = $3 AND resource_type = $4 AND resource_id = $5 AND valid_until > now()'

/** Uses an approval: one for once is of the first request that comes, whole. */
const spendApproval = statement<{ id: string }, [...Key, request: string]>(
  'ask-use',
  `UPDATE asks SET used_by = $6
    WHERE ${isIt} AND state = 'APPROVED' AND (NOT once OR used_by IS NULL OR used_by = $6) RETURNING id`,
)

const findDenial = statement<{ id: string }, Key>(
  'ask-denied',
  `SELECT id FROM asks WHERE ${isIt} AND state = 'DENIED'`,
)

/** What was found out for an actor, who is made anew for every request: a request with fifty values asks once. */
const known = new WeakMap<
  Actor,
  { request: string; answers: Map<string, Promise<'approved' | 'denied' | 'open'>> }
>()

/**
 * Requires a person's say where it is to be asked for, once everything else allows it. An edge that refuses for it opens the
 * question (lib/features/asks).
 * @param thing what it is about, as the caller named it; the say counts for nothing else
 * @throws AppError APPROVAL_REQUIRED (nobody has answered, or no more), FORBIDDEN (the person said no)
 */
export async function requireSay(
  actor: Actor,
  permission: Permission,
  thing: Thing,
  { workspaceId, askFirst }: AskRules & { workspaceId: string },
): Promise<void> {
  if (actor.kind !== 'oauth' || !isAskable(permission)) return
  if (!askFirst.includes(permission) && !config().ASK_FIRST.includes(permission)) return
  switch (await answerOf(actor, permission, thing)) {
    case 'approved':
      return
    case 'denied':
      throw new AppError(
        'FORBIDDEN',
        `The person was asked for this and denied it. It can be asked again ${deniedMinutes} minutes later.`,
        { resource: thing, permission, reason: 'denied' },
      )
    case 'open':
      throw new AppError(
        'APPROVAL_REQUIRED',
        'The person has to approve this first, on a page of their own.',
        {
          resource: thing,
          permission,
          workspaceId,
        },
      )
  }
}

function answerOf(actor: OAuthActor, permission: Askable, { type, id }: Thing) {
  const asked = known.get(actor) ?? { request: randomUUID(), answers: new Map() }
  known.set(actor, asked)
  const name = `${permission} ${type} ${id}`
  const answer =
    asked.answers.get(name) ?? findAnswer([actor.userId, actor.clientId, permission, type, id], asked.request)
  asked.answers.set(name, answer)
  return answer
}

async function findAnswer(key: Key, request: string): Promise<'approved' | 'denied' | 'open'> {
  if ((await spendApproval(...key, request)).length > 0) return 'approved'
  return (await findDenial(...key)).length > 0 ? 'denied' : 'open'
}
