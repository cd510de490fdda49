import type { Db } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { lockPerson } from '@/lib/policy/hold'
import { type CompanyWord, onlyDoorOf } from '@/lib/policy/required-sso'

/** On what a sign-in rests beyond the person. */
export type Proof = {
  /**
   * Their password, as its hash, when they proved who they are, by whatever means; null for none. Where it is another by now, all that
   * was begun before is over. Left out, it is not asked.
   */
  passwordHash?: string | null | undefined
  /** Of the company's identity provider by which it begins. */
  word?: CompanyWord | undefined
  /** Returns whether the sign-in, which has one factor, needs a second one by now. Asked while the account cannot change. */
  owesStep?: ((tx: Db) => Promise<boolean>) | undefined
}

/** Who has proved who they are, and the hash of their password at that moment. */
export type ProvenPerson = { userId: string; passwordHash: string | null }

/**
 * Requires that a proof still counts, and keeps it so until a transaction ends. In the meantime the password can have been changed,
 * the user suspended, a second factor set up, or SSO required. Each of these changes ends what has begun before it. What begins
 * after it fails here. See decision 224.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN (a workspace requires SSO)
 */
export async function holdProof(
  tx: Db,
  userId: string,
  { passwordHash, word, owesStep }: Proof,
): Promise<void> {
  const person = await lockPerson(tx, userId)
  const changed = passwordHash !== undefined && passwordHash !== person?.passwordHash
  if (!person || person.suspendedAt || changed || (await owesStep?.(tx))) {
    throw new AppError('UNAUTHENTICATED', 'This sign-in is over. Sign in again.')
  }
  const only = await onlyDoorOf(tx, userId)
  if (only !== undefined && only.workspaceId !== word?.companyId) {
    throw new AppError('FORBIDDEN', 'Your company has you sign in through its own service.')
  }
}
