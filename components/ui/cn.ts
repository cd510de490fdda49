import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

const merge = extendTailwindMerge({ extend: { theme: { radius: ['card', 'control'], shadow: ['overlay'] } } })

/** Joins class names. If two class names set the same property, the later class name is used. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes))
}

/**
 * The classes of a segmented control, which shows choices next to each other. `segments` is for the
 * container, and `segment` is for each choice. The selected choice must have `aria-current`.
 */
export const segments = 'inline-flex flex-wrap rounded-[7px] bg-selected p-0.5'

export const segment =
  'inline-flex h-[26px] items-center rounded-[5px] px-2.5 font-medium text-[13px] text-muted hover:text-text aria-[current]:bg-surface aria-[current]:text-text aria-[current]:shadow-control max-md:h-8'
