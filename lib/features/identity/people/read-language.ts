import { prisma } from '@/lib/base/db/prisma'
import { isLanguage, type Language } from '@/lib/base/language/languages'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'

/**
 * The language of mails to the person; English while nothing is known.
 * @throws AppError FORBIDDEN for tokens that do not speak for the person
 */
export async function readLanguage(actor: Actor): Promise<Language> {
  authorizeAccount(actor)
  const { language } = await prisma().user.findUniqueOrThrow({
    where: { id: actor.userId },
    select: { language: true },
  })
  return isLanguage(language) ? language : 'en'
}
