import type { Db } from '@/lib/base/db/prisma'
import { sayToPerson } from '@/lib/base/language/say'
import { sendMail } from '@/lib/base/mail/send-mail'
import type { AuditRecord, SystemActor } from '@/lib/features/audit/audit-record'
import type { Actor } from '@/lib/policy/actor'
import { accountChangedMail, accountChanges } from './account-changed-mail'

/**
 * Tells a person by mail that what opens their account has changed (ASVS 5.0, 6.3.7). No rule of theirs switches it off:
 * whoever changed it could have done that too.
 * See decision 082.
 * @param tx the transaction the event is recorded in
 */
export async function mailAccountChange(
  tx: Db,
  actor: Actor | SystemActor,
  record: AuditRecord,
): Promise<void> {
  const change = accountChanges[record.action]
  const userId = record.resource.type === 'user' ? record.resource.id : actor.userId
  if (!change || !userId) return
  const alive = { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] }
  const person = await tx.user.findUnique({
    where: { id: userId },
    select: {
      name: true,
      email: true,
      language: true,
      _count: { select: { apiTokens: { where: alive }, authorizations: true } },
    },
  })
  if (!person) return
  const { apiTokens: tokens, authorizations: apps } = person._count
  // The operator's address is nobody else's business.
  const ip = actor.userId === userId ? actor.ip : undefined
  const say = sayToPerson(person.language)
  sendMail(person.email, accountChangedMail(say, change, { name: person.name, ip, still: { tokens, apps } }))
}
