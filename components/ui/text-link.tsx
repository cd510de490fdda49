import type { ComponentProps } from 'react'
import { textLinkClass } from './button'
import { Link } from './link'

/** A link within text. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return <Link className={textLinkClass(className)} {...rest} />
}
