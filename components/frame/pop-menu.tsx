'use client'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { cn } from '../ui/cn'

/**
 * A `<details>` with content over the page. It opens without JavaScript. With JavaScript, it closes on
 * Escape, on a press outside, when the focus moves outside, and on navigation to another path.
 */
export function PopMenu({
  summary,
  summaryClass,
  popClass,
  onOpen,
  children,
}: {
  summary: ReactNode
  summaryClass: string
  popClass: string
  onOpen?: (() => void) | undefined
  children: ReactNode
}) {
  const path = usePathname()
  const details = useRef<HTMLDetailsElement>(null)
  // The state is the path of the page on which the menu was opened. When the path changes, the menu closes
  // without an effect.
  const [openOn, setOpenOn] = useState<string>()
  const open = openOn === path
  useEffect(() => {
    if (!open) return
    const press = ({ target }: Event) => {
      if (!details.current?.contains(target as Node)) setOpenOn(undefined)
    }
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpenOn(undefined)
      details.current?.querySelector('summary')?.focus()
    }
    document.addEventListener('pointerdown', press)
    document.addEventListener('focusin', press)
    document.addEventListener('keydown', key)
    return () => {
      document.removeEventListener('pointerdown', press)
      document.removeEventListener('focusin', press)
      document.removeEventListener('keydown', key)
    }
  }, [open])
  return (
    <details
      ref={details}
      open={open}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && !open) onOpen?.()
        setOpenOn(currentTarget.open ? path : undefined)
      }}
      className="group relative"
    >
      <summary className={cn('list-none', summaryClass)}>{summary}</summary>
      <div
        className={cn(
          'animate-appear absolute z-40 rounded-card border border-border-strong bg-overlay p-1 shadow-overlay',
          popClass,
        )}
      >
        {children}
      </div>
    </details>
  )
}
