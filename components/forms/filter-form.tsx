'use client'
import Form from 'next/form'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'

/**
 * A form that filters a list by several fields. The filters are in the URL, so that the result can be shared. A changed
 * choice or date updates the list immediately. The button sends the text fields or, without JavaScript, all fields.
 * @param values the values in the URL by field name
 * @param className the columns on tablets and larger screens; the last column contains the button
 */
export function FilterForm({
  path,
  values,
  submit = 'Search',
  className,
  children,
}: {
  path: string
  values: Record<string, string>
  submit?: string
  className: string
  children: ReactNode
}) {
  const form = useRef<HTMLFormElement>(null)
  // The fields keep their state and focus unless a link or the browser history changed the URL.
  useEffect(() => {
    for (const [name, value] of Object.entries(values)) {
      const field = form.current?.elements.namedItem(name)
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value
    }
  }, [values])
  return (
    <Form
      ref={form}
      action={path}
      role="search"
      onChange={({ target, currentTarget }) => {
        const field: EventTarget = target
        const isDate = field instanceof HTMLInputElement && field.type === 'date'
        if (isDate || field instanceof HTMLSelectElement) currentTarget.requestSubmit()
      }}
      className={cn('mb-4 grid items-end gap-3', className)}
    >
      {children}
      <Button type="submit" className="max-sm:col-span-full">
        {submit}
      </Button>
    </Form>
  )
}
