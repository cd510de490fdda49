'use client'
import type { ComponentProps } from 'react'
import { useFormStatus } from 'react-dom'
import { Button } from './button'

/**
 * The submit button of a form with a server action. While the action runs, the button stays in place, is
 * marked as busy, and cannot be pressed again.
 */
export function SubmitButton({ children, ...rest }: ComponentProps<typeof Button>) {
  const { pending } = useFormStatus()
  return (
    <Button type="submit" variant="primary" aria-busy={pending} {...rest} disabled={pending || rest.disabled}>
      {children}
    </Button>
  )
}
