'use client'
import { useEffect, useOptimistic, useState } from 'react'
import { onNavigation } from './navigation-start'

/** A page that comes sooner than this is not announced: a flash would be worse than the wait. */
const patience = 120

/**
 * A line at the top of the window while the next page is on its way, however it was asked for: a link, a search, the
 * palette, the way back. Why there is no `loading.tsx` instead: ADR 0039.
 */
export function NavigationLine() {
  // Set inside the router's own transition, it lasts as long as that does, whatever its end is.
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
