import { config } from '@/lib/base/config/env'
import type { Db } from '@/lib/base/db/prisma'
import { type PlainMessageKey, type Say, sayIn, sayToPerson } from '@/lib/base/language/say'
import { ring } from '@/lib/base/live/listener'
import { composeMail, withoutLinks } from '@/lib/base/mail/compose-mail'
import { type Mail, sendMail } from '@/lib/base/mail/send-mail'
import type { Notification, Prisma } from '@/lib/generated/prisma/client'
import { NotificationType } from '@/lib/generated/prisma/enums'
import { rolesWith, type WorkspacePermission } from '@/lib/policy/permissions'
import type { NoticeWords } from './notice-words'

/**
 * What a notification is stored as, where a release that may still serve beside this one, or serve again after a rollback, has no
 * word for what it is about: its Prisma refuses a whole page for one value that it does not know. It shows the title and the
 * text as they are, under the nearest that it knows. A kind that comes to `NotificationType` comes here too, for good: no value is
 * added to the type in the database. See decision 175.
 */
const nearest: Partial<Record<NotificationType, NotificationType>> = {
  APP_REQUESTED: 'MEMBER_ADDED',
  APP_DECIDED: 'APP_AUTHORIZED',
}

/** How a kind is written down. */
const storedKind = (kind: NotificationType) => ({
  type: nearest[kind] ?? kind,
  kind: nearest[kind] ? kind : null,
})

/** What a notification is about; for a kind of a later release the nearest that this one knows. */
export const kindOf = ({ kind, type }: Pick<Notification, 'kind' | 'type'>): NotificationType =>
  isKnown(kind) ? kind : type

const isKnown = (kind: string | null): kind is NotificationType => kind !== null && kind in NotificationType

/** Those about one of some kinds. */
export const ofKinds = (kinds: readonly NotificationType[]): Prisma.NotificationWhereInput => ({
  OR: [
    { kind: { in: [...kinds] } },
    {
      type: { in: [...kinds] },
      OR: [{ kind: null }, { kind: { notIn: Object.values(NotificationType) } }],
    },
  ],
})

/** A person as a notice names them. */
export const person = { select: { id: true, name: true, email: true, language: true } } as const

/** Those who carry a permission in a workspace, each with the workspace. */
export const peopleWith = (tx: Db, permission: WorkspacePermission, workspaceId: string) =>
  tx.workspaceMember.findMany({
    where: { workspaceId, role: { in: rolesWith(permission) } },
    select: { workspace: { select: { id: true, name: true, slug: true } }, user: person },
  })

/** Titles hold names of apps, people and workspaces, which do not belong in a subject. */
const subjects: Record<NotificationType, PlainMessageKey> = {
  APP_AUTHORIZED: 'notice.appSubject',
  MEMBER_ADDED: 'notice.memberSubject',
  APP_REQUESTED: 'notice.requestSubject',
  APP_DECIDED: 'notice.decisionSubject',
  TOKEN_EXPIRING: 'notice.tokenSubject',
  TOKEN_REUSED: 'notice.reuseSubject',
}

/** A notification as a mail. */
export const noticeMail = (
  say: Say,
  notice: { type: NotificationType; name: string; title: string; body: string; url: string },
): Mail =>
  composeMail({
    say,
    subject: say('mail.subject', { what: say(subjects[notice.type]), service: config().SERVICE_NAME }),
    name: notice.name,
    paragraphs: [withoutLinks(notice.title), withoutLinks(notice.body)],
    actions: [{ label: say('mail.view'), url: notice.url }],
  })

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
