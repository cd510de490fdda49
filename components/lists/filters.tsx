import { Search } from 'lucide-react'
import Form from 'next/form'
import Link from 'next/link'
import { addressOf } from '@/lib/edges/web/console/list-page'
import { Button } from '../ui/button'
import { segment, segments } from '../ui/cn'
import { Input } from '../ui/input'
import { HiddenFields } from '../ui/stack'

/** The search over a list. The key makes the field follow the address. */
export function ListSearch({
  path,
  name = 'search',
  label,
  placeholder = label,
  value,
  kept = {},
}: {
  path: string
  /** The parameter of the address. */
  name?: string
  label: string
  /** What can be searched for, where the label does not say it. */
  placeholder?: string
  value: string
  /** What else the address holds, and keeps. */
  kept?: Record<string, string>
}) {
  return (
    <Form
      key={value}
      action={path}
      role="search"
      className="flex min-w-0 flex-[0_1_340px] gap-2 max-sm:flex-[1_0_100%]"
    >
      <HiddenFields fields={Object.fromEntries(Object.entries(kept).filter(([, text]) => text))} />
      <span className="relative min-w-0 flex-1">
        <Search aria-hidden className="absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted" />
        <Input
          type="search"
          name={name}
          aria-label={label}
          placeholder={placeholder}
          defaultValue={value}
          maxLength={80}
          className="pl-8"
        />
      </span>
      <Button type="submit">Search</Button>
    </Form>
  )
}

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
