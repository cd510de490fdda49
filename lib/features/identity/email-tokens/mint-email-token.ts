import { hashCredential, mintCredential } from '@/lib/base/credentials/tokens'
import type { Db } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import type { EmailTokenPurpose } from '@/lib/generated/prisma/enums'

const hours: Record<EmailTokenPurpose, number> = { VERIFY_EMAIL: 24, RESET_PASSWORD: 1 }

/**
 * Makes the token of a link to be mailed, in place of every earlier one of its purpose: only the last link works.
 * Expired ones, whosever they are, go on the way.
 * @param email where it will be sent
 * @returns its plain value; only a SHA-256 is stored
 */
export async function mintEmailToken(
  db: Db,
  { purpose, userId, email }: { purpose: EmailTokenPurpose; userId: string; email: string },
): Promise<string> {
  const token = mintCredential('emailToken')
  const expiresAt = new Date(databaseNow() + hours[purpose] * 3_600_000)
  await db.emailToken.deleteMany({
    where: { OR: [{ userId, purpose }, { expiresAt: { lt: new Date(databaseNow()) } }] },
  })
  await db.emailToken.create({
    data: { hash: Uint8Array.from(hashCredential(token)), purpose, userId, email, expiresAt },
  })
  return token
}
