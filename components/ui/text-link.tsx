import Link from 'next/link'
import type { ComponentProps } from 'react'
import { textLinkClass } from './button'

/** A link within text. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return <Link className={textLinkClass(className)} {...rest} />
}
