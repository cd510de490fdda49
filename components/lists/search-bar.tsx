'use client'
import { type ComponentProps, useRef } from 'react'
import { useEarlyInput } from '../forms/hydration'
import { LoaderCircle, Search, X } from '../ui/icon'
import { Input } from '../ui/input'
import { Link } from '../ui/link'

/** A search field with an icon, and with a button that clears it while it contains text. */
export function SearchField({
  label,
  value,
  onSearch,
  onClear = () => onSearch(''),
  clearHref,
  waiting = false,
  ...input
}: Omit<ComponentProps<typeof Input>, 'value' | 'onChange'> & {
  label: string
  value: string
  onSearch: (text: string) => void
  /** Called when the user presses the clear button. If omitted, `onSearch` is called with an empty text. */
  onClear?: () => void
  /** The URL of the list without the search text, for browsers without JavaScript. */
  clearHref?: string
  /** Whether results are loading. */
  waiting?: boolean
}) {
  const field = useRef<HTMLInputElement>(null)
  useEarlyInput(field)
  const Icon = waiting ? LoaderCircle : Search
  const clear = {
    'aria-label': 'Clear search',
    title: 'Clear search',
    className:
      'absolute top-1/2 right-1 grid size-6 -translate-y-1/2 place-content-center rounded-control text-muted hover:bg-hover hover:text-text max-md:size-9',
    children: <X className="size-4" />,
    onClick: (event: { preventDefault: () => void }) => {
      event.preventDefault()
      onClear()
      field.current?.focus()
    },
  }
  return (
    <span className="relative min-w-0 flex-1">
      <Icon
        className={`absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted ${waiting ? 'motion-safe:animate-spin' : ''}`}
      />
      <Input
        ref={field}
        type="search"
        aria-label={label}
        value={value}
        onChange={({ currentTarget }) => onSearch(currentTarget.value)}
        autoComplete="off"
        className="px-8 [&::-webkit-search-cancel-button]:appearance-none"
        {...input}
      />
      {value !== '' &&
        (clearHref ? (
          <Link href={clearHref} scroll={false} {...clear} />
        ) : (
          <button type="button" {...clear} />
        ))}
    </span>
  )
}

/**
 * The search field at the top of a box that contains a list, with a status next to the field. The caller
 * filters the list.
 */
export function SearchBar({
  label,
  placeholder,
  value,
  onSearch,
  status,
}: {
  label: string
  placeholder: string
  value: string
  onSearch: (text: string) => void
  status: string
}) {
  return (
    <div className="flex items-center gap-3 border-b bg-raised p-2">
      <SearchField
        label={label}
        placeholder={placeholder}
        value={value}
        onSearch={onSearch}
        // Ignore Enter, which would submit the form around the list.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <span role="status" className="shrink-0 pr-1 text-[13px] text-muted tabular-nums">
        {status}
      </span>
    </div>
  )
}
