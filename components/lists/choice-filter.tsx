import Link from 'next/link'
import { addressOf } from '@/lib/edges/web/console/list-page'

const part =
  'inline-flex h-[26px] items-center rounded-[5px] px-2.5 font-medium text-[13px] text-muted hover:text-text aria-[current]:bg-surface aria-[current]:text-text aria-[current]:shadow-control max-md:h-8'

/** Narrows a list to one of a few kinds, or to none of them: links side by side, so that no script is needed. */
export function ChoiceFilter({
  path,
  name,
  choices,
  value,
  kept,
  all = 'All',
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
}) {
  const entries = [['', all], ...Object.entries(choices)] as [string, string][]
  return (
    <ul aria-label={`Filter by ${name}`} className="inline-flex flex-wrap rounded-[7px] bg-selected p-0.5">
      {entries.map(([key, label]) => (
        <li key={key}>
          <Link
            href={addressOf(path, { ...kept, [name]: key })}
            aria-current={key === (value ?? '') ? 'true' : undefined}
            className={part}
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}
