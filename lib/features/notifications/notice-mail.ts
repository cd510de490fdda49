import { config } from '@/lib/base/config/env'
import { composeMail } from '@/lib/base/mail/compose-mail'
import type { Mail } from '@/lib/base/mail/mail'
import { withoutLinks } from '@/lib/base/mail/strangers-text'
import type { NotificationType } from '@/lib/generated/prisma/enums'

/** Titles hold names of apps, people and workspaces, which do not belong in a subject. */
const subjects: Record<NotificationType, string> = {
  APP_AUTHORIZED: 'An app was given access',
  MEMBER_ADDED: 'A member was added',
  APP_REQUESTED: 'Somebody asks you to let an app in',
  APP_DECIDED: 'An admin answered your request',
  TOKEN_EXPIRING: 'A token or a secret is about to expire',
  TOKEN_REUSED: 'An app’s access was revoked to protect your account',
}

/** A notification as a mail. */
export const noticeMail = (notice: {
  type: NotificationType
  name: string
  title: string
  body: string
  url: string
}): Mail =>
  composeMail({
    subject: `${subjects[notice.type]}: ${config().SERVICE_NAME}`,
    name: notice.name,
    paragraphs: [`${withoutLinks(notice.title)}.`, withoutLinks(notice.body)],
    actions: [{ label: 'Have a look', url: notice.url }],
  })
