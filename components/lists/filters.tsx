import { Search } from 'lucide-react'
import Form from 'next/form'
import Link from 'next/link'
import { addressOf } from '@/lib/edges/web/console/list-page'
import { Button } from '../ui/button'
import { segment, segments } from '../ui/cn'
import { Input } from '../ui/input'
import { HiddenFields } from '../ui/stack'

/** The search field of a list. The key makes the field follow the URL. */
export function ListSearch({
  path,
  name = 'search',
  label,
  placeholder = label,
  value,
  kept = {},
}: {
  path: string
  /** The URL parameter. */
  name?: string
  label: string
  /** The searchable fields, if the label does not name them. */
  placeholder?: string
  value: string
  /** Other URL parameters to keep. */
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

/** Filters a list by one of a few kinds, with links, so that no script is needed. */
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
  /** The URL parameter. */
  name: string
  choices: Readonly<Record<string, string>>
  /** The selected kind. */
  value: string | undefined
  /** Other URL parameters to keep. */
  kept: Record<string, string>
  all?: string
  /** Whether to keep the scroll position, for a list further down a page. */
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
