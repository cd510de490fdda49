import { Search } from 'lucide-react'
import Form from 'next/form'
import { Button } from '../ui/button'
import { Input } from '../ui/input'

/** A search over a list, in the page's address, so that it can be shared and works without a script. */
export function SearchForm({ action, label, value }: { action: string; label: string; value: string }) {
  return (
    <Form action={action} role="search" className="mb-4 flex gap-2">
      <Input
        type="search"
        name="search"
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        maxLength={80}
      />
      <Button type="submit" size="icon" aria-label="Search" className="shrink-0">
        <Search aria-hidden />
      </Button>
    </Form>
  )
}
