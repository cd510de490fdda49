import { createHash } from 'node:crypto'
import { z } from 'zod'
import { uniqueViolation } from '@/lib/base/db/database-errors'
import { type Quota, requireBelowLimit } from '@/lib/base/db/limits'
import {
  type CountedSlice,
  cutPage,
  keysetQuery,
  type NumberedPage,
  type NumberedRows,
  type Page,
  readNumbered,
  searchLiteral,
} from '@/lib/base/db/paging'
import { isId, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SshPublicKey } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { bindApproval, requireApproval } from '@/lib/policy/approvals'
import { authorizePersonal } from '@/lib/policy/authorize'
import { holdSession } from '@/lib/policy/lock-role'

/** The input for a new SSH key. If the name is missing or empty, `addSshKey` derives one from the key. */
const addSshKeyInput = z.object({
  name: z
    .string()
    .trim()
    .max(80, 'Use at most 80 characters.')
    .regex(/^\P{C}*$/u, 'Remove control characters.')
    .nullish(),
  publicKey: z.string().max(20_000, 'This is too long for a public key.'),
})

/** A parsed public key. `publicKey` is the stored form: the type and the encoded key, without the comment. */
type ParsedKey = { publicKey: string; fingerprint: string; comment: string }

/**
 * The supported key types. Each type's function returns whether the fields that follow the type in the
 * encoded key are valid (RFC 4253 6.6, RFC 5656 3.1, RFC 8709 4, OpenSSH PROTOCOL.u2f).
 */
const fieldsOf: Record<string, (fields: Buffer[]) => boolean> = {
  'ssh-ed25519': ([key, ...more]) => key?.length === 32 && more.length === 0,
  'ecdsa-sha2-nistp256': (fields) => isCurve(fields, 'nistp256', 65),
  'ecdsa-sha2-nistp384': (fields) => isCurve(fields, 'nistp384', 97),
  'ecdsa-sha2-nistp521': (fields) => isCurve(fields, 'nistp521', 133),
  'sk-ssh-ed25519@openssh.com': ([key, application, ...more]) =>
    key?.length === 32 && application !== undefined && more.length === 0,
  'sk-ecdsa-sha2-nistp256@openssh.com': (fields) =>
    fields.length === 3 && isCurve(fields.slice(0, 2), 'nistp256', 65),
  'ssh-rsa': ([exponent, modulus, ...more]) =>
    exponent !== undefined && modulus !== undefined && more.length === 0 && bitLength(modulus) >= minRsaBits,
}

const minRsaBits = 2048

/**
 * Parses a public key in OpenSSH's one-line format.
 * @returns the key's stored form, its comment (an empty text if there is none), and its fingerprint as
 * `ssh-keygen -l` prints it
 * @throws AppError BAD_USER_INPUT on `publicKey` if the text is not a complete key of a supported type, or if
 * an RSA key is too short
 */
function parsePublicKey(text: string): ParsedKey {
  if (text.includes('PRIVATE KEY')) {
    throw refuse('This is a private key. Keep it secret, and paste the file that ends in .pub.')
  }
  const [, type = '', encoded = '', comment = ''] =
    /^([\w@.-]+) +([\w+/]+={0,2})(?: +(.*))?$/.exec(text.trim()) ?? []
  const check = Object.hasOwn(fieldsOf, type) ? fieldsOf[type] : undefined
  if (!check) throw refuse('Paste one public key, such as "ssh-ed25519 AAAA...", of a current type.')
  const blob = Buffer.from(encoded, 'base64')
  const [name, ...fields] = readFields(blob) ?? []
  if (name?.toString('latin1') !== type || !check(fields)) {
    throw refuse(
      type === 'ssh-rsa'
        ? `This is not a complete RSA key of at least ${minRsaBits} bits.`
        : 'The key is incomplete or damaged. Copy it again.',
    )
  }
  const hash = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')
  return { publicKey: `${type} ${blob.toString('base64')}`, fingerprint: `SHA256:${hash}`, comment }
}

/** Returns a key's length-prefixed fields (RFC 4251 section 5), or undefined if the key is truncated. */
function readFields(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = []
  let at = 0
  while (at < blob.length) {
    if (at + 4 > blob.length) return undefined
    const end = at + 4 + blob.readUInt32BE(at)
    if (end > blob.length) return undefined
    fields.push(blob.subarray(at + 4, end))
    at = end
  }
  return fields
}

const isCurve = ([curve, point, ...more]: Buffer[], name: string, length: number) =>
  curve?.toString('latin1') === name && point?.length === length && point[0] === 4 && more.length === 0

const bitLength = (integer: Buffer): number => {
  const hex = integer.toString('hex').replace(/^0+/, '')
  return hex === '' ? 0 : (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hex[0] as string, 16)))
}

const refuse = (message: string) => badInput('publicKey', message)

const quota = (userId: string): Quota => ({
  of: { table: 'users', id: userId },
  most: 100,
  message: 'You can have up to 100 SSH keys. Remove one first.',
})

/**
 * Adds an SSH key to the user's account, which can have up to 100 keys. A key that is already stored for any
 * user is rejected. An app might need the user's approval.
 * @param input `name` and `publicKey` (the line in a .pub file). If the name is missing or empty, the key is
 * named after its comment. If there is no comment either, the key is named after its fingerprint.
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN, BAD_USER_INPUT, CONFLICT, and the errors of
 * `requireApproval`
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
      await requireBelowLimit(tx, quota(actor.userId), () =>
        tx.sshPublicKey.count({ where: { userId: actor.userId } }),
      )
      await holdSession(tx, actor)
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
    const message = 'This key is already in use. Create a new one with ssh-keygen.'
    throw new AppError('CONFLICT', message, { field: 'publicKey', fields: { publicKey: message } })
  }
}

/**
 * Returns one page of the user's SSH keys, oldest first, and a function that counts all of the user's keys.
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN
 */
export async function listSshKeys(actor: Actor, page: Page): Promise<CountedSlice<SshPublicKey>> {
  authorizePersonal(actor, 'ssh_keys')
  const { bounds, ...window } = keysetQuery(page)
  const where = { userId: actor.userId }
  const rows = await prisma().sshPublicKey.findMany({ where: { ...where, id: bounds }, ...window })
  return { ...cutPage(page, rows), count: () => prisma().sshPublicKey.count({ where }) }
}

/** A key as shown in the console's list. */
type KeyInList = Pick<SshPublicKey, 'id' | 'name' | 'fingerprint' | 'publicKey' | 'createdAt' | 'lastUsedAt'>

const findByText = statement<
  KeyInList & { total: number },
  [userId: string, text: string, limit: number, offset: number]
>(
  'search-ssh-keys',
  `SELECT id, name, fingerprint, public_key AS "publicKey", created_at AS "createdAt", last_used_at AS "lastUsedAt",
          (count(*) OVER ())::int AS total
     FROM ssh_public_keys
    WHERE user_id = $1 AND (name ILIKE '%' || $2 || '%' OR fingerprint ILIKE '%' || $2 || '%')
    ORDER BY name COLLATE natural_order, id LIMIT $3 OFFSET $4`,
)

/**
 * Returns one page of the user's SSH keys in natural order of their names. Includes only keys with a name or
 * fingerprint that contains the text, ignoring case. Returns the first page if the requested page is empty.
 * @param text the text to search for, or an empty text for all keys
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN
 */
export async function searchSshKeys(
  actor: Actor,
  text: string,
  page: NumberedPage,
): Promise<NumberedRows<KeyInList>> {
  authorizePersonal(actor, 'ssh_keys')
  const literal = searchLiteral(text)
  return readNumbered(page, (limit, offset) => findByText(actor.userId, literal, limit, offset))
}

/**
 * Removes one of the user's SSH keys. An app might need the user's approval.
 * @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN, NOT_FOUND, and the errors of `requireApproval`
 */
export async function removeSshKey(actor: Actor, id: string): Promise<void> {
  authorizePersonal(actor, 'ssh_keys', 'ADMIN')
  const account = { type: 'user', id: actor.userId }
  await prisma().$transaction(async (tx) => {
    const key = isId(id) ? await tx.sshPublicKey.findFirst({ where: { id, userId: actor.userId } }) : null
    if (!key) {
      throw new AppError('NOT_FOUND', 'The SSH key was not found.', { resource: { type: 'ssh_key', id } })
    }
    bindApproval(actor, { name: key.name })
    await requireApproval(actor, 'account:manage-ssh-keys', account, {
      workspaceId: null,
      requiresApprovalFor: [],
    })
    const { count } = await tx.sshPublicKey.deleteMany({ where: { id: key.id } })
    if (count === 0) return
    await recordEvent(tx, actor, {
      action: 'ssh_key.removed',
      resource: { type: 'ssh_key', id: key.id },
      details: { name: key.name, fingerprint: key.fingerprint },
    })
  })
}
