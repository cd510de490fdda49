import { config } from '@/lib/config/env'
import type { NotificationType } from '@/lib/generated/prisma/enums'
import { composeMail } from '../compose-mail'
import type { Mail } from '../mail'
import { withoutLinks } from '../strangers-text'

/** Titles hold names of apps, people and workspaces, which do not belong in a subject. */
const subjects: Record<NotificationType, string> = {
  APP_AUTHORIZED: 'An app was given access',
  MEMBER_ADDED: 'A member was added',
  TOKEN_EXPIRING: 'A token of yours is about to expire',
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
