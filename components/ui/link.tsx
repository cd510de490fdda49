'use client'
import NextLink from 'next/link'
import type { ComponentProps } from 'react'
import { type ButtonLook, buttonClass, textLinkClass } from './button'

/**
 * A link to another page of the console. Next.js does not prefetch the page: it is rendered for each
 * request, so a prefetch would load no content, but send two requests for each visible link.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, 'prefetch'>) {
  return <NextLink {...props} prefetch={false} />
}

/** A link within text. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return <Link className={textLinkClass(className)} {...rest} />
}

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
