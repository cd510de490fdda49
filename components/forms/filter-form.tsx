'use client'
import Form from 'next/form'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { useEarlyInput } from './hydration'

/**
 * A form that filters a list by several fields. The filters are in the URL, so that users can share the
 * filtered list. A change in a select or a date field sends the form immediately. A change in a text field,
 * or any change without JavaScript, takes effect when the user presses the button.
 * @param values the values in the URL by field name
 * @param className the classes that set the grid's columns; the button follows the fields
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
  // The fields are uncontrolled, so they do not follow the URL. After a link or the browser history changes
  // the URL, copy its values into the fields.
  const shown = useRef(values)
  useEffect(() => {
    if (shown.current === values) return
    shown.current = values
    for (const [name, value] of Object.entries(values)) {
      const field = form.current?.elements.namedItem(name)
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value
    }
  }, [values])
  useEarlyInput(form)
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
