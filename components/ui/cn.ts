import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

const merge = extendTailwindMerge({ extend: { theme: { radius: ['card', 'control'], shadow: ['overlay'] } } })

/** Joins class names; where two set the same property, the later wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes))
}
