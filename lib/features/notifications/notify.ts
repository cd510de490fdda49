import { config } from '@/lib/base/config/env'
import { idAt } from '@/lib/base/db/paging'
import type { Db } from '@/lib/base/db/prisma'
import {
  type ArgumentsOf,
  type MessageKey,
  type PlainMessageKey,
  type Say,
  sayIn,
  translatorForUser,
} from '@/lib/base/language/say'
import { announceChange } from '@/lib/base/live/listener'
import { breakLinks, composeMail } from '@/lib/base/mail/compose-mail'
import { type Mail, sendMail } from '@/lib/base/mail/send-mail'
import type { Notification, Prisma } from '@/lib/generated/prisma/client'
import { NotificationType } from '@/lib/generated/prisma/enums'
import { rolesWith, type WorkspacePermission } from '@/lib/policy/permissions'

/**
 * The types to store for notification kinds that older releases do not support. An older release can use the
 * same database during an upgrade or after a rollback. If one notification had an unknown type, the older
 * release's Prisma client would reject the whole page of notifications. Each new kind is therefore stored
 * with the closest old type. Add an entry for every new `NotificationType`, and never remove an entry. Never
 * add a value to the database type. See ADR 0040.
 */
const nearest: Partial<Record<NotificationType, NotificationType>> = {
  APP_REQUESTED: 'MEMBER_ADDED',
  APP_DECIDED: 'APP_AUTHORIZED',
}

/** Returns the column values that store a kind. */
const storedKind = (kind: NotificationType) => ({
  type: nearest[kind] ?? kind,
  kind: nearest[kind] ? kind : null,
})

/**
 * Returns the kind of a notification. If a later release stored a kind that this release does not support,
 * returns the closest kind that it supports.
 */
export const kindOf = ({ kind, type }: Pick<Notification, 'kind' | 'type'>): NotificationType =>
  isKnown(kind) ? kind : type

const isKnown = (kind: string | null): kind is NotificationType => kind !== null && kind in NotificationType

/**
 * Returns the filter for notifications of the given kinds. As in `kindOf`, kinds that only a later release
 * supports count as the closest supported kind.
 */
export const ofKinds = (kinds: readonly NotificationType[]): Prisma.NotificationWhereInput => ({
  OR: [
    { kind: { in: [...kinds] } },
    {
      type: { in: [...kinds] },
      OR: [{ kind: null }, { kind: { notIn: Object.values(NotificationType) } }],
    },
  ],
})

/** The user columns that are required to send a notice. */
export const recipientColumns = { select: { id: true, name: true, email: true, language: true } } as const

/**
 * Returns the members of a workspace whose role has a permission. Each result contains the user and the
 * workspace.
 */
export const usersWith = (tx: Db, permission: WorkspacePermission, workspaceId: string) =>
  tx.workspaceMember.findMany({
    where: { workspaceId, role: { in: rolesWith(permission) } },
    select: { workspace: { select: { id: true, name: true, slug: true } }, user: recipientColumns },
  })

/**
 * The email subjects by type. Unlike the titles of notifications, the subjects contain no names of users,
 * apps, or workspaces.
 */
const subjects: Record<NotificationType, PlainMessageKey> = {
  APP_AUTHORIZED: 'notice.appSubject',
  MEMBER_ADDED: 'notice.memberSubject',
  APP_REQUESTED: 'notice.requestSubject',
  APP_DECIDED: 'notice.decisionSubject',
  TOKEN_EXPIRING: 'notice.tokenSubject',
  TOKEN_REUSED: 'notice.reuseSubject',
}

/** Returns the email for a notification. */
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

/** A user who receives a notification. `language` is null if the user's language is unknown. */
export type Recipient = { id: string; name: string; email: string; language: string | null }

/** A notification for one recipient. */
export type Notice = {
  to: Recipient
  type: NotificationType
  /** A function that returns the text in a given language. The console shows the English text. */
  words: NoticeWords
  workspaceId?: string
  resource: { type: string; id: string }
  /** The path of the page where the recipient can act. */
  path: string
  inApp: boolean
  email: boolean
  /**
   * A key that prevents a repeated notification. The notification is not sent if another one with this key is
   * stored.
   */
  dedupeKey?: string
}

/**
 * Sends notifications in the app, by email, or both. If a notification for the app has a `dedupeKey` that is
 * already stored, neither stores the notification nor sends an email about it.
 * @param tx the transaction of the event
 */
export async function notify(tx: Db, notices: Notice[]): Promise<void> {
  const shown = notices.filter((notice) => notice.inApp)
  const stored = shown.length > 0 ? await store(tx, shown) : new Set()
  for (const { to } of shown) announceChange(`user:${to.id}`)
  for (const { to, type, words, path, email, inApp, dedupeKey } of notices) {
    if (!email || (inApp && dedupeKey && !stored.has(dedupeKey))) continue
    const say = translatorForUser(to.language)
    const url = config().BASE_URL + path
    sendMail(to.email, noticeMail(say, { type, name: to.name, ...words(say), url }))
  }
}

/**
 * Stores notices for the notification center, except those whose `dedupeKey` is already stored. Uses one
 * prepared statement, because Prisma recompiles a `createMany` for each call.
 * @returns the `dedupeKey` of each stored notice, which is null if the notice has no such key
 */
async function store(tx: Db, notices: Notice[]): Promise<Set<string | null>> {
  const now = new Date()
  const rows = notices.map(({ to, type, words, workspaceId, resource, dedupeKey }) => {
    const { type: storedType, kind } = storedKind(type)
    const { title, body } = words(sayIn('en'))
    return {
      id: idAt(now),
      user_id: to.id,
      workspace_id: workspaceId,
      type: storedType,
      kind,
      title,
      body,
      resource,
      dedupe_key: dedupeKey,
    }
  })
  const fresh = await tx.$queryRaw<{ dedupeKey: string | null }[]>`
    INSERT INTO notifications (id, user_id, workspace_id, type, kind, title, body, resource, dedupe_key)
    SELECT id, user_id, workspace_id, type, kind, title, body, resource, dedupe_key
      FROM jsonb_populate_recordset(NULL::notifications, ${JSON.stringify(rows)}::jsonb)
        ON CONFLICT DO NOTHING
 RETURNING dedupe_key AS "dedupeKey"`
  return new Set(fresh.map((row) => row.dedupeKey))
}

/** The translatable text of a notice: a function that returns the title and the body in a given language. */
export type NoticeWords = (say: Say) => { title: string; body: string }

/**
 * Returns the translatable text of a notice.
 * @param names the names in the title and the body. The name of a deleted app or workspace is null, and is
 * shown as "An app" or "A workspace".
 */
export const noticeText =
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

/** Returns the text of the notice about an app request, for the admins who can approve or decline it. */
export const requestNotice =
  (user: string, app: string, workspace: string, reason: unknown): NoticeWords =>
  (say) => ({
    title: say('notice.requested', { user, app, workspace }),
    body: reason ? say('notice.reason', { reason: String(reason) }) : say('notice.noReason'),
  })

/** Returns the text about a decision, followed by the message of the admin who decided, if any. */
const withWord = (
  say: Say,
  decided: PlainMessageKey,
  wrote: 'notice.word' | 'notice.instanceAdminWord',
  word: unknown,
): string => (word ? `${say(decided)} ${say(wrote, { word: String(word) })}` : say(decided))

/**
 * Returns the text of the notice about an admin's decision, for the users who requested the app.
 * @param word the admin's message, if any
 */
export const decisionNotice =
  (how: 'approved' | 'declined', app: string, workspace: string, word: unknown): NoticeWords =>
  (say) => {
    const [title, text] =
      how === 'approved'
        ? (['notice.approved', 'notice.approvedText'] as const)
        : (['notice.declined', 'notice.declinedText'] as const)
    return { title: say(title, { app, workspace }), body: withWord(say, text, 'notice.word', word) }
  }

/** Formats a date (UTC) in the language of the notification. Returns an empty text if there is no date. */
const dayIn = (say: Say, day: Date | null) =>
  day ? new Intl.DateTimeFormat(say.language, { dateStyle: 'long', timeZone: 'UTC' }).format(day) : ''

/**
 * Returns the text of the notice for the former admins of a transferred app.
 * @param to the name of the receiving workspace, or null if it was deleted
 * @param end the latest expiry of the former admins' credentials
 */
export const transferNotice =
  (to: string | null, app: string, end: Date | null): NoticeWords =>
  (say) => ({
    title: say('notice.offerAccepted', { to: to ?? say('notice.someWorkspace'), app }),
    body: say('notice.offerAcceptedText', { date: dayIn(say, end) }),
  })

/** Returns the text of the notice about an API token that expires soon. */
export const tokenExpiryNotice =
  (token: string, end: Date | null): NoticeWords =>
  (say) => ({
    title: say('notice.expiring', { token }),
    body: say('notice.expiringText', { date: dayIn(say, end) }),
  })

/**
 * Returns the text of the notice about a client secret that expires soon. A secret without a name is
 * identified by its last four characters.
 */
export const secretExpiryNotice =
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

/**
 * Returns the text of the notice about a missing domain proof or a lost domain verification.
 * @param app the app's name; for an SSO connection, the workspace's name
 */
export const domainProofNotice =
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

/**
 * Returns the text of the notice about a missing domain proof or a lost domain verification of an SSO
 * connection.
 */
export const ssoDomainWords =
  (
    state: 'failing' | 'lost',
    workspace: string,
    domain: string,
    problem: string,
    until: Date | null,
  ): NoticeWords =>
  (say) => {
    const { title, body } = domainProofNotice(state, workspace, domain, problem, until)(say)
    return { title, body: state === 'lost' ? say('notice.ssoDomainLostText') : body }
  }

/**
 * Returns the text of the notice about an instance admin's verification decision, for the app's admins.
 * @param word the instance admin's message, if any
 */
export const verificationWords =
  (verified: boolean, app: string, word: unknown): NoticeWords =>
  (say) => {
    const [title, text] = verified
      ? (['notice.verified', 'notice.verifiedText'] as const)
      : (['notice.unverified', 'notice.unverifiedText'] as const)
    return { title: say(title, { app }), body: withWord(say, text, 'notice.instanceAdminWord', word) }
  }
