import { Breakable } from '../ui/breakable'
import { Time } from '../ui/time'

/** Shows emails as text, with clickable links to this instance. */
export function MailList({
  mails,
  origin,
}: {
  mails: { id: string; to: string; subject: string; text: string; createdAt: Date }[]
  /** The origin of this instance. Only URLs on this origin become links. */
  origin: string
}) {
  return (
    <ul aria-label="Emails" className="grid gap-4">
      {mails.map(({ id, to, subject, text, createdAt }) => (
        <li key={id} className="min-w-0 rounded-card border bg-surface">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b px-4 py-3 sm:px-6">
            <h2 className="font-medium">{subject}</h2>
            <p className="text-[13px] text-muted">
              <Breakable text={to} /> · <Time at={createdAt} />
            </p>
          </div>
          <div className="wrap-anywhere whitespace-pre-wrap px-4 py-4 sm:px-6">{withLinks(text, origin)}</div>
        </li>
      ))}
    </ul>
  )
}

function withLinks(text: string, origin: string) {
  return text.split(/(https?:\/\/\S+)/).map((part, at) =>
    part.startsWith(`${origin}/`) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
      <a key={at} href={part} className="text-link underline underline-offset-3">
        <Breakable text={part} />
      </a>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Breakable key={at} text={part} />
    ),
  )
}
