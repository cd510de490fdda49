import type { ComponentProps } from 'react'
import { type ButtonLook, buttonClass } from './button'
import { Link } from './link'

/** A link that looks like a button. It navigates and never changes anything. */
export function ButtonLink({
  variant,
  size,
  wide,
  className,
  ...rest
}: ComponentProps<typeof Link> & ButtonLook) {
  return <Link className={buttonClass({ variant, size, wide, className })} {...rest} />
}
