import { type ReactNode, useId } from 'react'
import type { Say } from '@/lib/base/language/say'
import { FieldError, TextField } from '../ui/field'
import { Eye } from '../ui/icon'
import { Input } from '../ui/input'

/**
 * The email field of an auth page, which browsers and password managers can fill in. `error` is an English
 * message, which the field translates.
 */
export function EmailField({
  say,
  value,
  error,
  autoComplete = 'username',
  autoFocus,
}: {
  say: Say
  value?: string | undefined
  error?: string | undefined
  autoComplete?: 'username' | 'username webauthn'
  autoFocus?: boolean
}) {
  return (
    <TextField
      label={say('login.email')}
      name="email"
      type="email"
      autoComplete={autoComplete}
      inputMode="email"
      scale="large"
      required
      autoFocus={autoFocus}
      defaultValue={value}
      error={error && say.known(error)}
    />
  )
}

/**
 * A password field with a button to show the password. With `rated`, it also shows the requirements and the
 * strength of a new password. The button and the strength require components/page-scripts/password.ts.
 * `aside` is shown at the end of the label's line, but comes after the field in the Tab order.
 */
export function PasswordField({
  say,
  label,
  error,
  rated = false,
  autoFocus,
  aside,
}: {
  say: Say
  label: string
  error?: string | undefined
  /** Whether the field is for a new password, whose strength is rated. */
  rated?: boolean
  autoFocus?: boolean | undefined
  aside?: ReactNode
}) {
  const id = useId()
  const described = [rated && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div className="relative grid gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <div className="relative">
        <Input
          id={id}
          name="password"
          type="password"
          autoComplete={rated ? 'new-password' : 'current-password'}
          scale="large"
          required
          {...(rated ? { minLength: 10, maxLength: 200, 'data-rated': '' } : {})}
          autoFocus={autoFocus || Boolean(error)}
          aria-describedby={described}
          aria-invalid={error ? true : undefined}
          className="pe-12"
        />
        <button
          type="button"
          data-shows={id}
          aria-label={say('password.show')}
          aria-pressed="false"
          className="needs-script absolute end-1 top-1 grid size-9 place-content-center rounded-control text-muted hover:bg-raised hover:text-text aria-pressed:text-link"
        >
          <Eye className="size-[18px]" />
        </button>
      </div>
      {aside && <div className="absolute end-0 top-0 text-sm leading-5">{aside}</div>}
      {error && <FieldError id={`${id}-error`}>{say.known(error)}</FieldError>}
      {rated && (
        <p id={`${id}-hint`} className="text-[13px] text-muted leading-[18px]">
          {say('password.hint')}
        </p>
      )}
      {rated && <Rating say={say} />}
      <script src="/password.js" defer />
    </div>
  )
}

/**
 * Shows the strength of a new password as four steps and a word. Until the user types, the steps are empty.
 * The height is fixed, so that the submit button does not move when the word appears.
 */
const Rating = ({ say }: { say: Say }) => (
  <div data-rating="" className="needs-script flex h-[18px] items-center gap-3">
    <span aria-hidden className="auth-rating grid flex-1 grid-cols-4 gap-1">
      <i />
      <i />
      <i />
      <i />
    </span>
    <span
      role="status"
      data-words={[
        say('password.short'),
        say('password.weak'),
        say('password.fair'),
        say('password.good'),
        say('password.strong'),
      ].join('|')}
      className="text-[13px] text-muted leading-[18px]"
    />
  </div>
)
