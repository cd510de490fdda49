import Link from 'next/link'
import { addressOf } from '@/lib/edges/web/console/list-page'
import { segment, segments } from '../ui/segments'

/** Narrows a list to one of a few kinds, or to none of them: links side by side, so that no script is needed. */
export function ChoiceFilter({
  path,
  name,
  choices,
  value,
  kept,
  all = 'All',
  stays = false,
}: {
  path: string
  /** The parameter of the address. */
  name: string
  choices: Readonly<Record<string, string>>
  /** The one that is chosen. */
  value: string | undefined
  /** Further parameters that stay. */
  kept: Record<string, string>
  all?: string
  /** For a list further down a page, which is not left for its beginning. */
  stays?: boolean
}) {
  const entries = [['', all], ...Object.entries(choices)] as [string, string][]
  return (
    <ul aria-label={`Filter by ${name}`} className={segments}>
      {entries.map(([key, label]) => (
        <li key={key}>
          <Link
            href={addressOf(path, { ...kept, [name]: key })}
            scroll={!stays}
            aria-current={key === (value ?? '') ? 'true' : undefined}
            className={segment}
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}
