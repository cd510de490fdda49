'use client'
import { useSelectedLayoutSegments } from 'next/navigation'
import type { ReactNode } from 'react'

/**
 * What stands over a feature's list and not over the pages below it, which have a header of their own: in a layout, whose
 * own page and those one step below it are the lists.
 */
export function ListHeader({ children }: { children: ReactNode }) {
  return useSelectedLayoutSegments().length > 1 ? null : children
}
