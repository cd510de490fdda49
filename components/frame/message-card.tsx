import type { ComponentProps, ReactNode } from 'react'
import type { Say } from '@/lib/base/language/say'
import { cn } from '../ui/cn'
import type { Icon } from '../ui/icon'
import { Message } from '../ui/stack'

const marks = {
  neutral: 'bg-raised text-muted',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
}

/**
 * The content of a page that only shows a message, such as an error page or the confirmation that a device is
 * signed in. `details` are facts that help to find the cause, such as the request ID.
 */
export function MessageCard({
  icon: Icon,
  tone = 'neutral',
  title,
  level: Heading = 'h1',
  details,
  action,
  children,
}: {
  icon: Icon
  tone?: keyof typeof marks
  title: string
  /** The heading level: `h2` if the page already has a heading. */
  level?: 'h1' | 'h2'
  details?: { label: string; value: string }[]
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="grid justify-items-start gap-4">
      <span className={cn('grid size-10 place-content-center rounded-full', marks[tone])}>
        <Icon className="size-5" />
      </span>
      <div className="grid gap-1.5">
        <Heading className="font-semibold text-xl leading-7">{title}</Heading>
        <div className="grid gap-2 text-[15px] text-muted">{children}</div>
      </div>
      {details && details.length > 0 && (
        <dl className="grid w-full gap-2 rounded-control border bg-background px-3 py-2.5 text-[13px] leading-[18px]">
          {details.map(({ label, value }) => (
            <div key={label} className="grid gap-0.5">
              <dt className="text-muted">{label}</dt>
              <dd className="break-all font-mono text-xs">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {action && <div className="flex flex-wrap gap-2">{action}</div>}
    </div>
  )
}

/** The message card of an auth page. `action` is a large, wide button, as in the forms of the auth pages. */
export const AuthMessage = ({ action, ...message }: ComponentProps<typeof MessageCard>) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
    <MessageCard {...message} />
    {action}
  </div>
)

/**
 * Shows the command that makes a user an instance admin. The sign-in page, the sign-up page, and the console
 * show the command while the instance has no instance admin.
 */
export const NoInstanceAdmin = ({ say }: { say: Say }) => (
  <p className="mt-3 text-muted text-sm first:mt-0">
    <Message
      of={say.parts('instanceAdmin.none', {
        code: (text) => (
          <code
            dir="ltr"
            className="whitespace-nowrap rounded-sm bg-raised px-1 py-0.5 font-mono text-[13px]"
          >
            {text}
          </code>
        ),
        email: '<email>',
      })}
    />
  </p>
)
