import { Search } from 'lucide-react'
import Form from 'next/form'
import { Button } from '../ui/button'
import { HiddenFields } from '../ui/hidden-fields'
import { Input } from '../ui/input'

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
