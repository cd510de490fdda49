import { prisma } from '@/lib/base/db/prisma'
import { isLanguage, type Language } from '@/lib/base/language/languages'
import type { SessionActor } from '@/lib/policy/actor'

/** The language of mails to the person; English while nothing is known. */
export async function readLanguage(actor: SessionActor): Promise<Language> {
  const { language } = await prisma().user.findUniqueOrThrow({
    where: { id: actor.userId },
    select: { language: true },
  })
  return isLanguage(language) ? language : 'en'
}
