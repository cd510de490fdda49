import { escapeHtml } from '@/lib/brand/escape-html'
import { config } from '@/lib/config/env'
import type { Mail } from './mail'

export type MailParts = {
  subject: string
  /** Whom it speaks to. */
  name?: string
  paragraphs: string[]
  /** The one thing to do; the address is written out as well. */
  action?: { label: string; url: string }
  /** What to do when the mail was not expected. */
  footer?: string
}

/** Builds the text and the html of a mail from the same parts, signed with the service's name. */
export function composeMail({ subject, name, paragraphs, action, footer }: MailParts): Mail {
  const { SERVICE_NAME, ACCENT_COLOR } = config()
  const greeting = name ? `Hello ${name},` : 'Hello,'
  const text = [
    greeting,
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(footer ? [footer] : []),
    `-- \n${SERVICE_NAME}\n${config().BASE_URL}`,
  ].join('\n\n')
  const lines = [greeting, ...paragraphs].map((line) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>`)
  const button = action
    ? `<p style="margin:0 0 16px"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:${ACCENT_COLOR};color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(action.label)}</a></p>
<p style="margin:0 0 16px;color:#565e6c;font-size:13px;word-break:break-all">${escapeHtml(action.url)}</p>`
    : ''
  const small = footer
    ? `<p style="margin:0 0 16px;color:#565e6c;font-size:13px">${escapeHtml(footer)}</p>`
    : ''
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/24px system-ui,-apple-system,'Segoe UI',sans-serif"><div style="max-width:480px;margin:0 auto">
${lines.join('\n')}
${button}
${small}
<p style="margin:24px 0 0;color:#565e6c;font-size:13px">${escapeHtml(SERVICE_NAME)}</p></div></body></html>`
  return { subject, text: `${text}\n`, html }
}
