'use client'
import { useEffect, useState } from 'react'
import { Button, type ButtonLook } from './button'
import { Check, Copy } from './icon'
import { useSay } from './use-say'

/**
 * A button that copies `value`, and then shows a check mark for 2 seconds. If a page has several copy
 * buttons, `of` names the value ("client ID"), or `label` is the whole accessible name. `brief` leaves room
 * for the value: only the icon is shown on phones or, with `always`, on all screens.
 */
export function CopyButton({
  value,
  of,
  label,
  size = 'small',
  variant,
  brief = false,
}: { value: string; of?: string; label?: string | undefined; brief?: boolean | 'always' } & ButtonLook) {
  const say = useSay()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <Button
      size={size}
      variant={variant}
      aria-label={label ?? (of === undefined ? say('shared.copy') : say('shared.copyNamed', { name: of }))}
      className="needs-script"
      onClick={() => navigator.clipboard.writeText(value).then(() => setCopied(true))}
    >
      {copied ? <Check className="text-success" /> : <Copy />}
      {brief !== 'always' && (
        <span className={brief ? 'max-sm:hidden' : undefined}>{say('shared.copy')}</span>
      )}
      <span role="status" className="sr-only">
        {copied ? say('shared.copied') : ''}
      </span>
    </Button>
  )
}
