import { prisma } from '@/lib/base/db/prisma'
import { uniqueViolation } from '@/lib/base/db/unique-violation'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SshPublicKey } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireApproval } from '@/lib/policy/approvals'
import { authorizePersonal } from '@/lib/policy/authorize'
import { addSshKeyInput } from './input'
import { parsePublicKey } from './parse-public-key'

const maxKeys = 100

/**
 * Adds an SSH key of the person. A key belongs to one person: a second one is refused, whoever has it.
 * @param input `name` (the key's comment unless given), `publicKey` as in a .pub file
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN, BAD_USER_INPUT, CONFLICT
 */
export async function addSshKey(actor: Actor, input: unknown): Promise<SshPublicKey> {
  authorizePersonal(actor, 'ssh_keys', 'ADMIN')
  const { name, publicKey: text } = parseInput(addSshKeyInput, input)
  const { publicKey, fingerprint, comment } = parsePublicKey(text)
  await requireApproval(
    actor,
    'account:manage-ssh-keys',
    { type: 'user', id: actor.userId },
    { workspaceId: null, requiresApprovalFor: [] },
  )
  const called = name || comment.replace(/\p{C}/gu, '').slice(0, 80) || fingerprint
  try {
    return await prisma().$transaction(async (tx) => {
      if ((await tx.sshPublicKey.count({ where: { userId: actor.userId } })) >= maxKeys) {
        throw new AppError('CONFLICT', `You have ${maxKeys} keys; remove one first.`)
      }
      const key = await tx.sshPublicKey.create({
        data: { userId: actor.userId, name: called, publicKey, fingerprint },
      })
      await recordEvent(tx, actor, {
        action: 'ssh_key.added',
        resource: { type: 'ssh_key', id: key.id },
        details: { name: called, fingerprint },
      })
      return key
    })
  } catch (error) {
    if (!uniqueViolation(error)) throw error
    const message = 'This key is in use already. Make a new one with ssh-keygen.'
    throw new AppError('CONFLICT', message, { field: 'publicKey', fields: { publicKey: message } })
  }
}
