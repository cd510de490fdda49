import { ChevronLeft, ChevronRight } from 'lucide-react'
import { buttonClass } from './button'
import { ButtonLink } from './button-link'

/**
 * Previous and next over a cursor or page number. The hrefs carry the whole query, so search and sorting stay;
 * a missing href is a disabled step, which keeps its place.
 */
export function Pagination({
  previous,
  next,
  summary,
  label = 'Pages',
}: {
  previous?: string | undefined
  next?: string | undefined
  /** Such as "21-40 of 112". */
  summary?: string
  label?: string
}) {
  return (
    <nav aria-label={label} className="flex items-center justify-between gap-3">
      <p className="text-muted tabular-nums">{summary}</p>
      <div className="flex gap-2">
        <Step href={previous} rel="prev">
          <ChevronLeft aria-hidden /> Previous
        </Step>
        <Step href={next} rel="next">
          Next <ChevronRight aria-hidden />
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
      <ButtonLink href={href} rel={rel} size="small" scroll={false}>
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
