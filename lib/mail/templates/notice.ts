import { composeMail } from '../compose-mail'
import type { Mail } from '../mail'

/** A notification as a mail. */
export const noticeMail = (notice: { name: string; title: string; body: string; url: string }): Mail =>
  composeMail({
    subject: notice.title,
    name: notice.name,
    paragraphs: [notice.body],
    action: { label: 'Have a look', url: notice.url },
  })
