'use client'
import { useEffect, useRef } from 'react'

/**
 * Put it into a `<section>` that comes in place of what had the focus, or is what a form was sent for: its heading takes the
 * focus, so that a listener hears it and the Tab key goes on from there. Of a section itself Orca tells no name.
 */
export function TakesFocus() {
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const heading = mark.current?.closest('section')?.querySelector('h2')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus()
  }, [])
  return <span ref={mark} hidden />
}

/** Gives the focus to the page's content, before what has it goes. */
export function focusContent(): void {
  document.getElementById('content')?.focus()
}
