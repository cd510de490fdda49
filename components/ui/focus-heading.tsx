'use client'
import { useEffect, useRef } from 'react'

/**
 * Focuses the `<h2>` of the enclosing `<section>` when this component is mounted. Use it if the section
 * replaces the focused element or shows the result of a form. Screen readers read the heading, and Tab
 * continues from there. The section itself is not focused, because Orca does not read the name of a focused
 * section.
 */
export function FocusHeading() {
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const heading = mark.current?.closest('section')?.querySelector('h2')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus()
  }, [])
  return <span ref={mark} hidden />
}

/** Focuses the page's content. Call this before the focused element is removed. */
export function focusContent(): void {
  document.getElementById('content')?.focus()
}
