import Link from 'next/link'
import { addressOf } from '@/lib/edges/web/console/list-page'
import { segment, segments } from '../ui/segments'

/** How far back charts look: links side by side, so that no script is needed. @param path the page, to which `?range=` is added */
export const RangeNav = <Range extends string>({
  path,
  ranges,
  range,
}: {
  path: string
  ranges: Readonly<Record<Range, { label: string }>>
  /** The one that is shown. */
  range: Range
}) => (
  <nav aria-label="Time" className={segments}>
    {(Object.keys(ranges) as Range[]).map((choice) => (
      <Link
        key={choice}
        href={addressOf(path, { range: choice })}
        aria-current={choice === range ? 'page' : undefined}
        className={segment}
      >
        {ranges[choice].label}
      </Link>
    ))}
  </nav>
)
