import { cn } from './cn'
import { CopyButton } from './copy-button'

/**
 * An email address or an ID in one line with a button that copies it. If there is not enough space, the end of the value is
 * cut off.
 * @param of names the value for the button: "email of Grace Hopper"
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
