import type { Db } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import type { CompanyWord } from '@/lib/policy/company-word'
import { lockPerson } from '@/lib/policy/hold'
import { onlyDoorOf } from '@/lib/policy/only-door'

/** On what a sign-in rests beyond the person. */
export type Proof = {
  /**
   * Their password, as its hash, when they proved who they are, by whatever means; null for none. Where it is another by now, all that
   * was begun before is over. Left out, it is not asked.
   */
  passwordHash?: string | null | undefined
  /** Of the company's identity provider by which it begins. */
  word?: CompanyWord | undefined
}

/** Who has proved who they are, and the hash of their password at that moment. */
export type ProvenPerson = { userId: string; passwordHash: string | null }

/**
 * Requires that a proof still counts, and keeps it so until a transaction ends: while somebody proved who they are, the password may
 * have been changed, the person suspended, or their company's provider made the only way in. Whoever does so ends what has begun by
 * then, and finds it, or it finds what they did. See decision 224.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN (another way in than the company's)
 */
export async function holdProof(tx: Db, userId: string, { passwordHash, word }: Proof): Promise<void> {
  const person = await lockPerson(tx, userId)
  const changed = passwordHash !== undefined && passwordHash !== person?.passwordHash
  if (!person || person.suspendedAt || changed) {
    throw new AppError('UNAUTHENTICATED', 'This sign-in is over. Sign in again.')
  }
  const only = await onlyDoorOf(tx, userId)
  if (only !== undefined && only !== word?.companyId) {
    throw new AppError('FORBIDDEN', 'Your company has you sign in through its own service.')
  }
}
