import { addressOf } from '@/lib/edges/web/console/list-page'
import { ButtonLink } from '../ui/button-link'

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
  <nav aria-label="Time" className="flex flex-wrap gap-2">
    {(Object.keys(ranges) as Range[]).map((choice) => (
      <ButtonLink
        key={choice}
        size="small"
        href={addressOf(path, { range: choice })}
        variant={choice === range ? 'primary' : 'secondary'}
        aria-current={choice === range ? 'page' : undefined}
      >
        {ranges[choice].label}
      </ButtonLink>
    ))}
  </nav>
)
