import Form from 'next/form'
import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'

/**
 * Filters a list by several fields through the URL, so that the result can be shared and works without a script. Its
 * `key` must contain the values of the fields, so that they follow the URL.
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
