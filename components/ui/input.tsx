import type { ComponentProps } from 'react'
import { cn } from './cn'
import { ChevronDown } from './icon'

/** The class of a field. Its styles are in app/components.css, like those of a button. */
const control = 'form-control'

/** The classes of a file field, whose button has the height of the field. */
const file =
  'file:me-3 file:h-full file:border-0 file:border-e file:border-solid file:border-control file:bg-raised file:px-3 file:font-medium file:text-text'

/** A single-line field. Label it through Field or TextField. `scale` "large" is for the auth pages. */
export function Input({
  className,
  scale = 'medium',
  ...rest
}: ComponentProps<'input'> & { scale?: 'medium' | 'large' }) {
  const height = scale === 'large' ? 'h-11 px-3.5 text-base' : 'form-control-medium'
  return (
    <input className={cn(control, height, rest.type === 'file' && cn(file, 'ps-0'), className)} {...rest} />
  )
}

/**
 * A multi-line field. With one row, it has the height of an Input. `mono` is for technical values, such as
 * redirect URIs and public keys.
 */
export function Textarea({
  className,
  mono = false,
  rows = 3,
  ...rest
}: ComponentProps<'textarea'> & { mono?: boolean }) {
  return (
    <textarea
      rows={rows}
      className={cn(
        control,
        'block min-h-10 px-2.5 py-[7px] text-base md:min-h-8 md:py-[5px] md:text-sm',
        mono && 'font-mono text-sm leading-6 sm:text-[13px] md:leading-5',
        className,
      )}
      {...rest}
    />
  )
}

/** A native select, which opens the platform's own list, including on phones. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select className={cn(control, 'form-control-medium form-select', className)} {...rest}>
        {children}
      </select>
      <ChevronDown className="form-select-mark" />
    </span>
  )
}
