'use client'
import { Search } from 'lucide-react'
import { Input } from '../ui/input'

/** The search field above a list in a box, which the caller filters, with a status next to it. */
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
      <span className="relative min-w-0 flex-1">
        <Search aria-hidden className="absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted" />
        <Input
          type="search"
          aria-label={label}
          placeholder={placeholder}
          value={value}
          onChange={({ currentTarget }) => onSearch(currentTarget.value)}
          // Enter would submit the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          autoComplete="off"
          className="pl-8"
        />
      </span>
      <span role="status" className="shrink-0 pr-1 text-[13px] text-muted tabular-nums">
        {status}
      </span>
    </div>
  )
}
