'use client'
import NextLink from 'next/link'
import type { ComponentProps } from 'react'

/**
 * A link to another page of the console. Next.js does not prefetch the page: it is rendered for each
 * request, so a prefetch would load no content, but send two requests for each visible link.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, 'prefetch'>) {
  return <NextLink {...props} prefetch={false} />
}
