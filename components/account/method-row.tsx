import { type ReactNode, type Ref, useId } from 'react'
import { buttonClass } from '../ui/button'
import { cn } from '../ui/cn'
import type { Icon } from '../ui/icon'
import { SharedMessage } from '../ui/use-say'

/** The status of a method: a colored dot next to a label. */
export type MethodStatus = { tone: 'good' | 'off' | 'warning'; text: string }

const dots = { good: 'bg-success', warning: 'bg-warning', off: 'border border-control' }

/** Lists sign-in methods or two-factor methods. Takes MethodRows as children. */
export function MethodList({
  title,
  description,
  children,
}: {
  title: string
  description?: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h2 id={id} className="font-semibold text-[15px] leading-[22px] tracking-[-0.008em]">
          {title}
        </h2>
        {description && <p className="text-[13px] text-muted leading-5">{description}</p>}
      </div>
      <div className="overflow-clip rounded-card border bg-surface">{children}</div>
    </section>
  )
}

/**
 * Shows one method, its status, and an optional form. The form unfolds below the row, even without
 * JavaScript.
 * @param action the label of the button that unfolds the form; if it is undefined, the row has no form and
 * shows `aside`
 */
export function MethodRow({
  icon: Icon,
  title,
  description,
  status,
  action,
  open = false,
  fold,
  aside,
  more,
  children,
}: {
  icon: Icon
  title: string
  description: ReactNode
  status: MethodStatus
  action?: string | undefined
  /** Whether the form is unfolded, for example after an error or for another step. */
  open?: boolean
  fold?: Ref<HTMLDetailsElement>
  /** The content that replaces the button if there is no `action`. */
  aside?: ReactNode
  /** The content that is always visible below the row, such as the list of passkeys. */
  more?: ReactNode
  children?: ReactNode
}) {
  const id = useId()
  const head = (
    <>
      <span className="grid size-9 shrink-0 place-items-center rounded-control border bg-raised text-muted">
        <Icon className="size-[18px]" />
      </span>
      <span className="grid min-w-0 flex-1 basis-52">
        <span id={id} className="font-medium">
          {title}
        </span>
        <span className="wrap-anywhere text-[13px] text-muted">{description}</span>
      </span>
      <span className="flex items-center gap-2 text-sm max-sm:ms-[50px] sm:w-32">
        <span aria-hidden className={cn('size-2 shrink-0 rounded-full', dots[status.tone])} />
        {status.text}
      </span>
    </>
  )
  const line = 'flex flex-wrap items-center gap-x-3.5 gap-y-2 py-3.5 ps-4 pe-3'
  return (
    <section aria-labelledby={id} className="border-b last:border-b-0">
      {action ? (
        <details ref={fold} open={open} className="group">
          <summary
            className={cn(
              line,
              'cursor-pointer list-none hover:bg-hover focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden',
            )}
          >
            {head}
            <span className="flex justify-end max-sm:ms-auto sm:w-32">
              <span className={buttonClass({ size: 'small' })}>
                <span className="group-open:hidden">{action}</span>
                <span className="hidden group-open:inline">
                  <SharedMessage of="shared.close" />
                </span>
              </span>
            </span>
          </summary>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t bg-raised px-4 py-5 sm:ps-[66px]">
            {children}
          </div>
        </details>
      ) : (
        <div className={line}>
          {head}
          <div className="flex justify-end max-sm:ms-auto sm:w-32">{aside}</div>
        </div>
      )}
      {more && <div className="border-t bg-raised px-4 sm:ps-[66px]">{more}</div>}
    </section>
  )
}
