'use client'
import { useEffect, useOptimistic, useState } from 'react'
import { onNavigation } from './navigation-start'

/** Faster pages show no line: a flash would be worse than the wait. */
const patience = 120

/**
 * Shows a line at the top of the window while the next page loads, after a link, a search, the palette, or the back
 * button. ADR 0039 explains why there is no `loading.tsx`.
 */
export function NavigationLine() {
  // State set in the router's transition lasts until the transition ends, also on failure.
  const [underWay, setUnderWay] = useOptimistic(false)
  const [long, setLong] = useState(false)
  useEffect(() => onNavigation(() => setUnderWay(true)), [setUnderWay])
  useEffect(() => {
    if (!underWay) return
    const timer = setTimeout(() => setLong(true), patience)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [underWay])
  return (
    underWay &&
    long && (
      <div
        role="progressbar"
        aria-label="Loading the page"
        className="animate-progress fixed inset-x-0 top-0 z-60 h-0.5 origin-left bg-link"
      />
    )
  )
}
