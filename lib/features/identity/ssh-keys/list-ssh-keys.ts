import { type CountedSlice, cutPage, keysetQuery, type Page } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import type { SshPublicKey } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizePersonal } from '@/lib/policy/authorize'

/**
 * One page of the person's SSH keys, oldest first.
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN
 */
export async function listSshKeys(actor: Actor, page: Page): Promise<CountedSlice<SshPublicKey>> {
  authorizePersonal(actor, 'ssh_keys')
  const { bounds, ...window } = keysetQuery(page)
  const where = { userId: actor.userId }
  const rows = await prisma().sshPublicKey.findMany({ where: { ...where, id: bounds }, ...window })
  return { ...cutPage(page, rows), count: () => prisma().sshPublicKey.count({ where }) }
}
