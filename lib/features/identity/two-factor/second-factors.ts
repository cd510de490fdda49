import { type Db, prisma } from '@/lib/base/db/prisma'

/** What a person has set up beyond the password. See decision 043. */
export type SecondFactors = {
  totp: boolean
  passkeys: number
  recoveryCodes: number
  /** Whether signing in takes a second step. */
  enrolled: boolean
}

/**
 * @param userId whose
 * @param db the transaction in which they change
 */
export async function secondFactors(userId: string, db: Db = prisma()): Promise<SecondFactors> {
  const person = await db.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      totp: { select: { confirmedAt: true } },
      _count: { select: { passkeys: true, recoveryCodes: true } },
    },
  })
  const totp = person.totp?.confirmedAt != null
  const { passkeys, recoveryCodes } = person._count
  return { totp, passkeys, recoveryCodes, enrolled: totp || passkeys > 0 }
}
