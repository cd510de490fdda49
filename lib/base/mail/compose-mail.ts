import { textColorOn } from '@/lib/base/config/contrast'
import { config } from '@/lib/base/config/env'
import { escapeHtml } from '@/lib/base/http/answers'
import type { Say } from '@/lib/base/language/say'
import type { Mail } from './send-mail'

export type MailParts = {
  /** The translator for the email's language, which also determines the greeting and the text direction. */
  say: Say
  subject: string
  /** The recipient's name. */
  name?: string
  paragraphs: string[]
  /** The links. The first link is shown as a button. The email also shows the URL of each link as text. */
  actions?: { label: string; url: string }[]
  /** Advice on what to do if the email is unexpected. */
  footer?: string
  /**
   * Whether this is one of the first emails to a user. These emails include the instance's welcome text
   * (mailWelcome).
   */
  welcomes?: boolean
}

/**
 * Builds the text and HTML of an email. Both end with the service name and, if an instance admin wrote one,
 * the instance's footer (mailFooter). The text version also contains the instance's URL. The instance's
 * footer comes last, so that it is not mistaken for our own text.
 */
export function composeMail(parts: MailParts): Mail {
  const { say, subject, name, actions = [], footer } = parts
  const { serviceName, accentColor, mailWelcome, mailFooter } = config()
  const welcome = parts.welcomes && mailWelcome ? [mailWelcome] : []
  const paragraphs = [...parts.paragraphs, ...welcome]
  const called = name && greetedName(name)
  const greeting = called ? say('mail.hello', { name: called }) : say('mail.helloNobody')
  const text = [
    greeting,
    ...paragraphs,
    ...actions.map(({ label, url }) => `${label}:\n${url}`),
    ...(footer ? [footer] : []),
    `-- \n${[serviceName, config().BASE_URL, ...(mailFooter ? [mailFooter] : [])].join('\n')}`,
  ].join('\n\n')
  const lines = [greeting, ...paragraphs].map((line) => `<p style="margin:0 0 16px">${inLines(line)}</p>`)
  const buttons = actions.map(
    (
      { label, url },
      at,
    ) => `<p style="margin:0 0 8px"><a href="${escapeHtml(url)}" style="${at === 0 ? buttonStyle(accentColor) : linkStyle}">${escapeHtml(label)}</a></p>
<p style="margin:0 0 16px;color:#565e6c;font-size:13px;word-break:break-all" dir="ltr">${escapeHtml(url)}</p>`,
  )
  const small = footer
    ? `<p style="margin:0 0 16px;color:#565e6c;font-size:13px">${escapeHtml(footer)}</p>`
    : ''
  const html = `<!doctype html><html lang="${say.language}" dir="${say.direction}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/24px system-ui,-apple-system,'Segoe UI',sans-serif"><div style="max-width:480px;margin:0 auto">
${lines.join('\n')}
${buttons.join('\n')}
${small}
<p style="margin:24px 0 0;color:#565e6c;font-size:13px">${[serviceName, mailFooter ?? ''].filter(Boolean).map(inLines).join('<br>')}</p></div></body></html>`
  return { subject, text: `${text}\n`, html }
}

const inLines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>')

const buttonStyle = (color: string) =>
  `display:inline-block;padding:10px 16px;border-radius:6px;background:${color};color:${textColorOn(color)};text-decoration:none;font-weight:600`

const linkStyle = 'font-weight:600'

/**
 * Matches the characters that make email programs create links: dots, including those of other scripts,
 * colons, slashes, and `@`.
 */
const joints = /[.:/@\u2024\u3002\uff0e\uff61](?=\S)/g

/**
 * Adds spaces to text that another user chose, so that it does not become a link. For example,
 * "evil.example/x" becomes "evil. example/ x".
 */
export const breakLinks = (text: string): string => text.replace(joints, '$& ')

const longest = 60

/**
 * Formats a name that another user chose. Removes double quotation marks and surrounding spaces, breaks up
 * links, shortens long names, and puts the name in quotation marks.
 */
export function quotedName(name: string): string {
  const plain = breakLinks(name.replace(/["“”„]/g, '').trim())
  return `“${plain.length > longest ? `${plain.slice(0, longest).trimEnd()}…` : plain}”`
}

/**
 * Returns a user's name for a greeting, or undefined if the name might contain a message (more than 40
 * characters) or a link. Someone who signs up with another person's email address also chooses the name that
 * appears in the emails to that person.
 */
const greetedName = (name: string): string | undefined =>
  name.length <= 40 && breakLinks(name) === name ? name : undefined
