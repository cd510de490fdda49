import { Breakable } from './breakable'
import { cn } from './cn'
import { CopyButton } from './copy-button'

/**
 * A value, such as an email address or an ID, with a button that copies it. The end of the value is cut off
 * if the value is wider than the available space. On phones, the value takes several lines instead.
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
    // The first column can shrink to 0, so the value does not widen a table, but gets all the space that the
    // table leaves.
    <span
      className={cn(
        'grid min-w-0 sm:min-w-44 grid-cols-[minmax(0,auto)_auto] items-center justify-start text-[13px]',
        className,
      )}
    >
      <span
        dir="ltr"
        title={value}
        className={cn(
          'wrap-anywhere min-w-0 max-sm:whitespace-normal sm:truncate [&>bdi]:inline',
          mono && 'font-mono',
        )}
      >
        <Breakable text={value} />
      </span>
      <CopyButton value={value} of={of} variant="quiet" brief="always" />
    </span>
  )
}
