import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './cn'
import { CircleAlert } from './icon'
import { Input, Select, Textarea } from './input'
import { SharedMessage } from './use-say'

/**
 * The attributes that Field passes to its control: the control's ID, the IDs of the hint and the error,
 * whether the value is invalid, and whether to focus the control.
 */
export type ControlProps = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  /**
   * Set on every invalid control. When a page loads, the browser focuses the page's first control with
   * `autofocus`.
   */
  autoFocus?: true
}

export type FieldProps = {
  /** The label, which is also the control's exact accessible name. */
  label: string
  /** One line of advice below the control, which screen readers read with the control. */
  hint?: ReactNode
  /** The error message, including how to fix the error. If set, the control is marked as invalid. */
  error?: string | undefined
  /** Whether to show "optional" next to the label, outside the accessible name. */
  optional?: boolean
  className?: string
}

/** A control with its label, hint, and error. `children` receives the attributes to spread on the control. */
export function Field({
  label,
  hint,
  error,
  optional,
  className,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div className={cn('grid max-w-2xl gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        {optional && (
          <span className="text-[13px] text-muted">
            <SharedMessage of="shared.optional" />
          </span>
        )}
      </div>
      {children({
        id,
        'aria-describedby': described,
        'aria-invalid': error ? true : undefined,
        ...(error ? { autoFocus: true } : {}),
      })}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint && (
        <p id={`${id}-hint`} className="text-[13px] text-muted leading-[18px]">
          {hint}
        </p>
      )}
    </div>
  )
}

/** The error below a control or group. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="flex gap-1.5 text-[13px] text-danger leading-[18px]">
      <CircleAlert className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0 whitespace-pre-line [overflow-wrap:anywhere]">{children}</span>
    </p>
  )
}

/** A labeled single-line field with the attributes of `<input>` and of Field. */
export function TextField({
  label,
  hint,
  error,
  optional,
  className,
  ...input
}: FieldProps & ComponentProps<typeof Input>) {
  return (
    <Field {...{ label, hint, error, optional, className }}>
      {(control) => <Input {...input} {...control} />}
    </Field>
  )
}

/** A labeled multi-line field. `mono` is for technical values, such as redirect URIs and public keys. */
export function TextAreaField({
  label,
  hint,
  error,
  optional,
  className,
  ...area
}: FieldProps & ComponentProps<typeof Textarea>) {
  return (
    <Field {...{ label, hint, error, optional, className }}>
      {(control) => <Textarea {...area} {...control} />}
    </Field>
  )
}

/** A labeled native select. Its children are `<option>`s. */
export function SelectField({
  label,
  hint,
  error,
  optional,
  className,
  ...select
}: FieldProps & ComponentProps<typeof Select>) {
  return (
    <Field {...{ label, hint, error, optional, className }}>
      {(control) => <Select {...select} {...control} />}
    </Field>
  )
}
