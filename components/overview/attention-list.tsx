import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '../ui/button-link'
import { cn } from '../ui/cn'
import { TextLink } from '../ui/text-link'

export type Attention = {
  key: string
  tone: 'danger' | 'warning' | 'info'
  icon: LucideIcon
  title: string
  text: ReactNode
  href: string
  /** What the button says. */
  action: string
}

/** Of one kind, what is not listed, and where all of it is. */
export type MoreAttention = { href: string; label: string }

const tones = {
  danger: 'bg-danger-soft text-danger',
  warning: 'bg-warning-soft text-warning',
  info: 'bg-info-soft text-info',
}

/** What somebody should look at, each with the way to where it can be mended; last the ways to the rest. */
export function AttentionList({
  items,
  more,
}: {
  items: readonly Attention[]
  more: readonly MoreAttention[]
}) {
  return (
    <ul aria-label="Needs attention">
      {items.map(({ key, tone, icon: Icon, title, text, href, action }) => (
        <li
          key={key}
          className="flex min-h-14 items-center gap-3 border-b px-4 py-2 last:border-b-0 max-sm:flex-wrap"
        >
          <span className={cn('grid size-8 shrink-0 place-content-center rounded-[8px]', tones[tone])}>
            <Icon aria-hidden className="size-4" />
          </span>
          <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] max-sm:basis-[calc(100%-60px)]">
            <span className="wrap-anywhere font-medium">{title}</span>
            <span className="line-clamp-2 text-[13px] text-muted [overflow-wrap:anywhere]">{text}</span>
          </span>
          <ButtonLink href={href} size="small" className="max-sm:ml-11" aria-label={`${action}: ${title}`}>
            {action}
          </ButtonLink>
        </li>
      ))}
      {more.length > 0 && (
        <li className="flex flex-wrap gap-x-5 gap-y-1 bg-raised px-4 py-2.5 text-[13px]">
          {more.map(({ href, label }) => (
            <TextLink key={label} href={href}>
              {label}
            </TextLink>
          ))}
        </li>
      )}
    </ul>
  )
}
