import { cn } from './cn'
import { CopyButton } from './copy-button'

/**
 * A value, such as an email address or an ID, in one line with a button that copies it. The end of the value is cut off if
 * the value is wider than the available space or about 36 characters.
 * @param of the value's name within the button's accessible name, such as "email of Grace Hopper"
 */
export function Copyable({
  value,
  of,
  mono = false,
  className,
}: {
  value: string
  of: string
  mono?: boolean
  className?: string
}) {
  return (
    <span className={cn('flex min-w-0 max-w-full items-center text-[13px]', className)}>
      <span dir="ltr" title={value} className={cn('min-w-0 max-w-[36ch] truncate', mono && 'font-mono')}>
        {value}
      </span>
      <CopyButton value={value} of={of} variant="quiet" brief="always" />
    </span>
  )
}
