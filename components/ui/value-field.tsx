import { useId } from 'react'
import { CopyButton } from './copy-button'
import { Input } from './input'

/**
 * A read-only field with a value to copy, in mono, and a Copy button. `label` is the field's accessible name
 * ("Client ID"). `copy` is the button's accessible name. If `copy` is omitted, the name is derived from
 * `label` ("Copy client ID").
 */
export function ValueField({
  label,
  copy,
  value,
  hint,
}: {
  label: string
  copy?: string
  value: string
  hint?: string
}) {
  const id = useId()
  return (
    <div className="grid max-w-2xl gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <div className="flex gap-2">
        <Input
          id={id}
          readOnly
          dir="ltr"
          value={value}
          spellCheck={false}
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="font-mono sm:text-[13px]"
        />
        <CopyButton value={value} of={inSentence(label)} label={copy} size="medium" brief />
      </div>
      {hint && (
        <p id={`${id}-hint`} className="text-[13px] text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

/** Returns a label as written within a sentence: "Client ID" becomes "client ID", but "ID" stays the same. */
const inSentence = (label: string) => label.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase())
