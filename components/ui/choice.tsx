import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './cn'
import { FieldError } from './field'

type ChoiceProps = Omit<ComponentProps<'input'>, 'type'> & {
  /** The accessible name. */
  label: string
  /** The text below the label, which screen readers read as a description. */
  hint?: ReactNode
  /** The content at the right end of the label's row, such as a role. */
  aside?: ReactNode
}

function Choice({
  type,
  label,
  hint,
  aside,
  className,
  ...input
}: ChoiceProps & { type: 'checkbox' | 'radio' }) {
  const id = useId()
  const name = <label htmlFor={id}>{label}</label>
  return (
    <div className={cn('choice', className)}>
      <input
        type={type}
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="tick"
        {...input}
      />
      <div>
        {aside ? (
          <div className="flex items-start justify-between gap-2.5">
            {name}
            <span className="shrink-0 text-[13px] text-muted">{aside}</span>
          </div>
        ) : (
          name
        )}
        {hint && <p id={`${id}-hint`}>{hint}</p>}
      </div>
    </div>
  )
}

/** A native checkbox with its label, optional hint, and optional aside. */
export function Checkbox(props: ChoiceProps) {
  return <Choice type="checkbox" {...props} />
}

/**
 * A radio button of a ChoiceGroup. All radio buttons of a group must have the same `name` and different
 * `value`s.
 */
export function Radio(props: ChoiceProps) {
  return <Choice type="radio" {...props} />
}

/**
 * Radio buttons or checkboxes under one legend. Screen readers read `hint` and `error` as the group's
 * description.
 */
export function ChoiceGroup({
  legend,
  hint,
  error,
  className,
  children,
}: {
  legend: string
  hint?: ReactNode
  error?: string | undefined
  className?: string
  children: ReactNode
}) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <fieldset aria-describedby={described} className={cn('choices', className)}>
      <legend>{legend}</legend>
      {hint && <p id={`${id}-hint`}>{hint}</p>}
      {children}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}
