import Form from 'next/form'
import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'

/**
 * Narrows a list by several fields, in the page's address, so that it can be shared and works without a script. Give it a
 * `key` of the fields' values, so that they follow the address.
 * @param className the columns from tablets on; the last is the button's
 */
export function FilterForm({
  path,
  className,
  children,
}: {
  path: string
  className: string
  children: ReactNode
}) {
  return (
    <Form action={path} role="search" className={cn('mb-4 grid items-end gap-3', className)}>
      {children}
      <Button type="submit" className="max-sm:col-span-full">
        Search
      </Button>
    </Form>
  )
}
