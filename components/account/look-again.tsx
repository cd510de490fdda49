'use client'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

const everyMs = 3_000

/** Has the page say what is new every few seconds while somebody looks at it. Without a script one reloads it. */
export function LookAgain() {
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') router.refresh()
    }, everyMs)
    return () => clearInterval(timer)
  }, [router])
  return null
}
