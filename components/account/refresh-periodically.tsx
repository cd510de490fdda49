'use client'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

const everyMs = 3_000

/**
 * Refreshes the page every few seconds while the page is visible. Without JavaScript, users must reload the
 * page.
 */
export function RefreshPeriodically() {
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') router.refresh()
    }, everyMs)
    return () => clearInterval(timer)
  }, [router])
  return null
}
