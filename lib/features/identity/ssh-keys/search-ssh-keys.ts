import { searchLiteral } from '@/lib/base/db/like-literal'
import { type NumberedPage, type NumberedRows, readNumbered } from '@/lib/base/db/numbered-page'
import { statement } from '@/lib/base/db/statement'
import type { SshPublicKey } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizePersonal } from '@/lib/policy/authorize'

/** A key as a page of the console lists it. */
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
 * One page of the person's SSH keys whose names or fingerprints hold a text, in natural order. One statement.
 * @param text anything; empty for all of them
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
