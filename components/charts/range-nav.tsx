import { addressOf } from '@/lib/edges/web/console/list-page'
import { segment, segments } from '../ui/cn'
import { Link } from '../ui/link'

/**
 * Lets users select the period of charts. The choices are links, which work without JavaScript.
 * @param path the path of the page, to which `?range=` and `kept` are added
 */
export const RangeNav = <Range extends string>({
  path,
  ranges,
  range,
  kept = {},
}: {
  path: string
  ranges: Readonly<Record<Range, { label: string }>>
  /** The selected period. */
  range: Range
  /** The page's other URL parameters, which the links keep. */
  kept?: Record<string, string>
}) => (
  <nav aria-label="Time" className={segments}>
    {(Object.keys(ranges) as Range[]).map((choice) => (
      <Link
        key={choice}
        href={addressOf(path, { ...kept, range: choice })}
        scroll={false}
        aria-current={choice === range ? 'page' : undefined}
        className={segment}
      >
        {ranges[choice].label}
      </Link>
    ))}
  </nav>
)
