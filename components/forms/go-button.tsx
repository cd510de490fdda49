import Form from 'next/form'
import type { ReactNode } from 'react'
import { Button, type ButtonLook } from '../ui/button'

/** A button that opens a page with a form on it ("New token"): a button to people and scripts, and it needs no script. */
export function GoButton({ href, look, children }: { href: string; look?: ButtonLook; children: ReactNode }) {
  return (
    <Form action={href}>
      <Button type="submit" variant="primary" {...look}>
        {children}
      </Button>
    </Form>
  )
}
