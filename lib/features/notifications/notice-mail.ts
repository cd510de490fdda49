import { config } from '@/lib/base/config/env'
import type { PlainMessageKey, Say } from '@/lib/base/language/say'
import { composeMail, withoutLinks } from '@/lib/base/mail/compose-mail'
import type { Mail } from '@/lib/base/mail/send-mail'
import type { NotificationType } from '@/lib/generated/prisma/enums'

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
