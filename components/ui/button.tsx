import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from './cn'

const button = cva(
  'inline-flex items-center justify-center gap-2 whitespace-nowrap rounded-control border font-medium transition-colors duration-100 disabled:opacity-55 aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary:
          'border-transparent bg-accent text-accent-text enabled:hover:bg-[color-mix(in_srgb,var(--accent)_88%,var(--accent-text))] [a&]:hover:bg-[color-mix(in_srgb,var(--accent)_88%,var(--accent-text))]',
        secondary: 'border-control/55 bg-surface text-text enabled:hover:bg-raised [a&]:hover:bg-raised',
        quiet: 'border-transparent text-muted hover:bg-raised hover:text-text',
        danger:
          'border-transparent bg-danger text-surface enabled:hover:bg-[color-mix(in_srgb,var(--danger)_88%,var(--surface))]',
        'danger-quiet': 'border-control/55 bg-surface text-danger hover:bg-danger-soft',
      },
      size: {
        small: 'h-7 px-2.5 text-[13px]',
        medium: 'h-9 px-3.5 text-sm',
        large: 'h-11 px-4 text-base',
        icon: 'size-9 p-0',
      },
      wide: { true: 'w-full', false: '' },
    },
    defaultVariants: { variant: 'secondary', size: 'medium', wide: false },
  },
)

export type ButtonLook = VariantProps<typeof button>

/** The classes of a button, for an element that must look like one (a menu trigger, a `<summary>`). */
export function buttonClass(look: ButtonLook & { className?: string | undefined } = {}): string {
  const { className, ...variants } = look
  return cn(button(variants), className)
}

/**
 * A button. `variant`: one `primary` per page or form, `secondary` (default), `quiet`, `danger` for what
 * cannot be undone, `danger-quiet` for what opens such a question. `wide` fills the row. `type` defaults to `button`.
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

/** An ordinary link that looks like a button, for pages that go without scripts; elsewhere `ButtonLink`. */
export function ButtonAnchor({ variant, size, wide, className, ...rest }: ComponentProps<'a'> & ButtonLook) {
  return <a className={buttonClass({ variant, size, wide, className })} {...rest} />
}
