import type { Db } from '@/lib/base/db/prisma'
import type { Visitor } from '@/lib/base/http/visitor'

/**
 * Keeps in which language a person reads, for the mails to them: what they chose on a page, or, until something is known, what
 * their browser prefers. What an app asks for is the app's wish, and not kept. See decision 226.
 * @param tx the transaction of the sign-in
 */
export async function rememberLanguage(
  tx: Db,
  userId: string,
  { language, choseLanguage }: Visitor,
): Promise<void> {
  if (!language) return
  const other = choseLanguage ? [{ language: { not: language } }] : []
  await tx.user.updateMany({
    where: { id: userId, OR: [{ language: null }, ...other] },
    data: { language },
  })
}
