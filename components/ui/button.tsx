import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps, KeyboardEvent } from 'react'
import { cn } from './cn'

// The styles are classes in app/components.css, because utility classes on each button would make up most of
// the HTML of a list with buttons.
const button = cva('button', {
  variants: {
    variant: {
      primary: 'button-primary',
      secondary: 'button-secondary',
      quiet: 'button-quiet',
      danger: 'button-danger',
      'danger-quiet': 'button-danger-quiet',
    },
    size: {
      small: 'button-small',
      medium: 'button-medium',
      large: 'button-large',
      icon: 'button-icon',
    },
    wide: { true: 'w-full', false: '' },
  },
  defaultVariants: { variant: 'secondary', size: 'medium', wide: false },
})

export type ButtonLook = VariantProps<typeof button>

/**
 * Returns the classes of a button, for another element that must look like a button, such as a `<summary>`.
 */
export function buttonClass(look: ButtonLook & { className?: string | undefined } = {}): string {
  const { className, ...variants } = look
  return cn(button(variants), className)
}

/**
 * A button. `variant`: one `primary` per page or form, `secondary` (default), `quiet`, `danger` for
 * irreversible actions, `danger-quiet` to open their confirmation. `wide` fills the row. `type` defaults to
 * `button`.
 */
export function Button({
  variant,
  size,
  wide,
  className,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & ButtonLook) {
  return <button type={type} className={buttonClass({ variant, size, wide, className })} {...rest} />
}

/**
 * A plain link that looks like a button, for pages without scripts and for links that Next.js must not
 * handle, such as downloads. Use `ButtonLink` for all other links.
 */
export function ButtonAnchor({ variant, size, wide, className, ...rest }: ComponentProps<'a'> & ButtonLook) {
  return <a className={buttonClass({ variant, size, wide, className })} {...rest} />
}

/**
 * Clicks a link with the button role when the user presses Space. Browsers do this only for `<button>`
 * elements.
 */
export function pressOnSpace(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== ' ') return
  event.preventDefault()
  event.currentTarget.click()
}

/** Returns the classes of a link within text. */
export const textLinkClass = (className?: string): string =>
  cn(
    'rounded-[3px] text-link underline decoration-link/40 underline-offset-3 hover:decoration-link',
    className,
  )

/**
 * A plain link within text, for pages without scripts and for links that open a new tab. Use `TextLink`
 * elsewhere.
 */
export const TextAnchor = ({ className, ...rest }: ComponentProps<'a'>) => (
  <a className={textLinkClass(className)} {...rest} />
)
