import type { ComponentProps } from 'react'
import { cn } from './cn'

/** The classes of a link within text. */
export const textLinkClass = (className?: string): string =>
  cn(
    'rounded-[3px] text-link underline decoration-link/40 underline-offset-3 hover:decoration-link',
    className,
  )

/** An ordinary link within text, for pages that go without scripts; elsewhere `TextLink`. */
export const TextAnchor = ({ className, ...rest }: ComponentProps<'a'>) => (
  <a className={textLinkClass(className)} {...rest} />
)
