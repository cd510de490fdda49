import { inkOn } from '@/lib/base/config/contrast'
import { config } from '@/lib/base/config/env'
import { escapeHtml } from '@/lib/base/http/answers'
import type { Say } from '@/lib/base/language/say'
import type { Mail } from './send-mail'

export type MailParts = {
  /** In whose language the parts are; the greeting and the way that lines run follow it. */
  say: Say
  subject: string
  /** Whom it speaks to. */
  name?: string
  paragraphs: string[]
  /** What to do, the first thing as a button; every address is written out as well. */
  actions?: { label: string; url: string }[]
  /** What to do when the mail was not expected. */
  footer?: string
  /** One of the first mails somebody gets, in which the operator has something to say (mailWelcome). */
  welcomes?: boolean
}

/**
 * Builds the text and the html of a mail from the same parts, signed with the service's name and what the operator has below
 * every mail. The operator's texts come last, so that nothing of ours seems to be theirs.
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
  `display:inline-block;padding:10px 16px;border-radius:6px;background:${color};color:${inkOn(color)};text-decoration:none;font-weight:600`

const linkStyle = 'font-weight:600'

/** What mail programs make links of: the dots of a host, `://`, paths and addresses; full stops of other scripts as well. */
const joints = /[.:/@\u2024\u3002\uff0e\uff61](?=\S)/g

/** Text that somebody else chose, so that no mail program makes a link of it: `evil.example/x` becomes `evil. example/ x`. */
export const withoutLinks = (text: string): string => text.replace(joints, '$& ')

const longest = 60

/** A name that somebody else chose, as a mail repeats it: in quotation marks, short, and without links. */
export function quotedName(name: string): string {
  const plain = withoutLinks(name.replace(/["“”„]/g, '').trim())
  return `“${plain.length > longest ? `${plain.slice(0, longest).trimEnd()}…` : plain}”`
}

/**
 * A person's name as a greeting has it. Whoever signs up with a stranger's address chooses what the stranger is called, so
 * what is no plain name is left out.
 */
const greetedName = (name: string): string | undefined =>
  name.length <= 40 && withoutLinks(name) === name ? name : undefined
