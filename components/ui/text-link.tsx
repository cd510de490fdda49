import Link from 'next/link'
import type { ComponentProps } from 'react'
import { cn } from './cn'

/** A link within text. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      className={cn(
        'rounded-[3px] text-link underline decoration-link/40 underline-offset-3 hover:decoration-link',
        className,
      )}
      {...rest}
    />
  )
}
