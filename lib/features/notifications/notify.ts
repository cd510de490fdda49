import { config } from '@/lib/base/config/env'
import type { Db } from '@/lib/base/db/prisma'
import { sayIn, sayToPerson } from '@/lib/base/language/say'
import { ring } from '@/lib/base/live/listener'
import { sendMail } from '@/lib/base/mail/send-mail'
import type { NotificationType } from '@/lib/generated/prisma/enums'
import { storedKind } from './kind'
import { noticeMail } from './notice-mail'
import type { NoticeWords } from './notice-words'

/** Somebody who is told something, and the language they read mails in. */
export type Told = { id: string; name: string; email: string; language: string | null }

/** What one person is told. */
export type Notice = {
  to: Told
  type: NotificationType
  /** What it says in a language. In the app it stands in the console's, English. */
  words: NoticeWords
  workspaceId?: string
  resource: { type: string; id: string }
  /** The page where something can be done about it. */
  path: string
  inApp: boolean
  email: boolean
  /** Told once, however often it is noticed. */
  dedupeKey?: string
}

/**
 * Tells people something: in the app, by mail, or both.
 * @param tx the transaction of what they are told about
 */
export async function notify(tx: Db, notices: Notice[]): Promise<void> {
  const shown = notices.filter((notice) => notice.inApp)
  const fresh = shown.length
    ? await tx.notification.createManyAndReturn({
        data: shown.map(({ to, type, words, workspaceId, resource, dedupeKey }) => ({
          userId: to.id,
          ...storedKind(type),
          ...words(sayIn('en')),
          workspaceId,
          resource,
          dedupeKey,
        })),
        skipDuplicates: true,
        select: { dedupeKey: true },
      })
    : []
  for (const { to } of shown) ring(`person:${to.id}`)
  const told = new Set(fresh.map((row) => row.dedupeKey))
  for (const { to, type, words, path, email, inApp, dedupeKey } of notices) {
    if (!email || (inApp && dedupeKey && !told.has(dedupeKey))) continue
    const say = sayToPerson(to.language)
    const url = config().BASE_URL + path
    sendMail(to.email, noticeMail(say, { type, name: to.name, ...words(say), url }))
  }
}
