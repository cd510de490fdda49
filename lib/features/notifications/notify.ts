import { config } from '@/lib/base/config/env'
import type { Db } from '@/lib/base/db/prisma'
import {
  type ArgumentsOf,
  type MessageKey,
  type PlainMessageKey,
  type Say,
  sayIn,
  sayToPerson,
} from '@/lib/base/language/say'
import { announceChange } from '@/lib/base/live/listener'
import { breakLinks, composeMail } from '@/lib/base/mail/compose-mail'
import { type Mail, sendMail } from '@/lib/base/mail/send-mail'
import type { Notification, Prisma } from '@/lib/generated/prisma/client'
import { NotificationType } from '@/lib/generated/prisma/enums'
import { rolesWith, type WorkspacePermission } from '@/lib/policy/permissions'

/**
 * What a notification is stored as, where a release that may still serve beside this one, or serve again after a rollback, has no
 * word for what it is about: its Prisma refuses a whole page for one value that it does not know. It shows the title and the
 * text as they are, under the nearest that it knows. A kind that comes to `NotificationType` comes here too, for good: no value is
 * added to the type in the database. See ADR 0050.
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
    subject: say('mail.subject', { what: say(subjects[notice.type]), service: config().serviceName }),
    name: notice.name,
    paragraphs: [breakLinks(notice.title), breakLinks(notice.body)],
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
  for (const { to } of shown) announceChange(`person:${to.id}`)
  const told = new Set(fresh.map((row) => row.dedupeKey))
  for (const { to, type, words, path, email, inApp, dedupeKey } of notices) {
    if (!email || (inApp && dedupeKey && !told.has(dedupeKey))) continue
    const say = sayToPerson(to.language)
    const url = config().BASE_URL + path
    sendMail(to.email, noticeMail(say, { type, name: to.name, ...words(say), url }))
  }
}

/** What a notice says in a language. */
export type NoticeWords = (say: Say) => { title: string; body: string }

/**
 * Returns the title and the text of a notice.
 * @param names the arguments of both; an app or a workspace that was deleted is called "an app" or "a workspace"
 */
export const wordsOf =
  <Title extends MessageKey, Body extends MessageKey>(
    title: Title,
    body: Body,
    names: Record<ArgumentsOf<Title | Body>, string | null>,
  ): NoticeWords =>
  (say) => {
    const given = Object.fromEntries(
      Object.entries<string | null>(names).map(([name, value]) => [
        name,
        value ?? say(name === 'app' ? 'notice.someApp' : 'notice.someWorkspace'),
      ]),
    ) as Record<ArgumentsOf<MessageKey>, string>
    return { title: say<MessageKey>(title, given), body: say<MessageKey>(body, given) }
  }

/** What those who decide about apps are told when somebody asks for one. */
export const requestWords =
  (person: string, app: string, workspace: string, reason: unknown): NoticeWords =>
  (say) => ({
    title: say('notice.requested', { person, app, workspace }),
    body: reason ? say('notice.reason', { reason: String(reason) }) : say('notice.noReason'),
  })

/** What was decided, and what whoever decided wrote to it, if anything. */
const withWord = (
  say: Say,
  decided: PlainMessageKey,
  wrote: 'notice.word' | 'notice.instanceAdminWord',
  word: unknown,
): string => (word ? `${say(decided)} ${say(wrote, { word: String(word) })}` : say(decided))

/** What whoever asked for an app is told of the decision. @param word what the admin wrote to it, if anything */
export const decisionWords =
  (how: 'approved' | 'declined', app: string, workspace: string, word: unknown): NoticeWords =>
  (say) => {
    const [title, text] =
      how === 'approved'
        ? (['notice.approved', 'notice.approvedText'] as const)
        : (['notice.declined', 'notice.declinedText'] as const)
    return { title: say(title, { app, workspace }), body: withWord(say, text, 'notice.word', word) }
  }

/** A day as it is written in a language; days are those of UTC, as everywhere. */
const dayIn = (say: Say, day: Date | null) =>
  day ? new Intl.DateTimeFormat(say.language, { dateStyle: 'long', timeZone: 'UTC' }).format(day) : ''

/** Returns what the former admins of a transferred app read. @param end when the credentials that they have end, at the latest */
export const transferWords =
  (to: string | null, app: string, end: Date | null): NoticeWords =>
  (say) => ({
    title: say('notice.offerAccepted', { to: to ?? say('notice.someWorkspace'), app }),
    body: say('notice.offerAcceptedText', { date: dayIn(say, end) }),
  })

/** What is told of an API token that is about to end. */
export const tokenWords =
  (token: string, end: Date | null): NoticeWords =>
  (say) => ({
    title: say('notice.expiring', { token }),
    body: say('notice.expiringText', { date: dayIn(say, end) }),
  })

/** The same of an app's secret, which is called by its end where it has no name. */
export const secretWords =
  (secret: { name: string | null; lastFour: string; app: string }, end: Date | null): NoticeWords =>
  (say) => {
    const { name, lastFour, app } = secret
    return {
      title: name
        ? say('notice.secret', { secret: name, app })
        : say('notice.secretUnnamed', { ending: lastFour, app }),
      body: say('notice.secretText', { date: dayIn(say, end) }),
    }
  }

/** What is told of the proof of an app's domain that was not found, or was gone for too long. */
export const domainWords =
  (
    state: 'failing' | 'lost',
    app: string,
    domain: string,
    problem: string,
    until: Date | null,
  ): NoticeWords =>
  (say) =>
    state === 'lost'
      ? {
          title: say('notice.domainLost', { app, domain }),
          body: say('notice.domainLostText', { app }),
        }
      : {
          title: say('notice.domainFailing', { app, domain }),
          body: say('notice.domainFailingText', { date: dayIn(say, until), problem }),
        }

/** The same about the domain of an SSO connection. */
export const ssoDomainWords =
  (
    state: 'failing' | 'lost',
    workspace: string,
    domain: string,
    problem: string,
    until: Date | null,
  ): NoticeWords =>
  (say) => {
    const { title, body } = domainWords(state, workspace, domain, problem, until)(say)
    return { title, body: state === 'lost' ? say('notice.ssoDomainLostText') : body }
  }

/** What an app's admins are told of the instance admin's decision about it. @param word what the instance admin wrote to it, if anything */
export const verificationWords =
  (verified: boolean, app: string, word: unknown): NoticeWords =>
  (say) => {
    const [title, text] = verified
      ? (['notice.verified', 'notice.verifiedText'] as const)
      : (['notice.unverified', 'notice.unverifiedText'] as const)
    return { title: say(title, { app }), body: withWord(say, text, 'notice.instanceAdminWord', word) }
  }
