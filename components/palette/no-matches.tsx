'use client'
import { useEffect, useState } from 'react'

/** So long nothing more must be typed: what is said while one types, a screen reader drops at the next key. */
const pause = 500

/** Says that nothing matches what was typed. What does match needs no words: the option that is marked is read out. */
export function NoMatches({ search, none }: { search: string; none: boolean }) {
  const [told, setTold] = useState<string>()
  useEffect(() => {
    if (!none) return
    const timer = setTimeout(() => setTold(search), pause)
    return () => clearTimeout(timer)
  }, [search, none])
  return (
    <p role="status" className="sr-only">
      {none && told === search && 'No matches'}
    </p>
  )
}
