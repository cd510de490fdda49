import { buttonClass } from './button'
import { ChevronLeft, ChevronRight } from './icon'
import { ButtonLink } from './link'

/**
 * Links to the previous and next page. The hrefs must contain the whole query, so that search and sorting are
 * kept. If an href is missing, its link is shown as disabled.
 */
export function Pagination({
  previous,
  next,
  summary,
  position,
  alone = false,
  label = 'Pages',
}: {
  previous?: string | undefined
  next?: string | undefined
  /** The listed range, such as "21–40 of 112 projects". */
  summary?: string
  /** The page number, such as "Page 2 of 6". */
  position?: string
  /** Whether there is only one page. If so, only the summary is shown. */
  alone?: boolean
  label?: string
}) {
  const text = <p className="text-muted tabular-nums">{summary}</p>
  if (alone) return text
  return (
    <nav aria-label={label} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
      {text}
      <div className="flex items-center gap-2">
        {position && <span className="text-muted tabular-nums max-sm:hidden">{position}</span>}
        <Step href={previous} rel="prev">
          <ChevronLeft /> Previous
        </Step>
        <Step href={next} rel="next">
          Next <ChevronRight />
        </Step>
      </div>
    </nav>
  )
}

function Step({
  href,
  rel,
  children,
}: {
  href?: string | undefined
  rel: string
  children: React.ReactNode
}) {
  if (href) {
    return (
      <ButtonLink href={href} rel={rel} size="small">
        {children}
      </ButtonLink>
    )
  }
  return (
    <span aria-disabled className={buttonClass({ size: 'small', className: 'cursor-not-allowed' })}>
      {children}
    </span>
  )
}
