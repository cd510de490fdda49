'use client'
import { PageError } from '@/components/frame/page-error'

/**
 * Replaces a page that could not be rendered, unless an error.tsx in a folder closer to the page handles the
 * error.
 */
export default function OuterError(failed: Parameters<typeof PageError>[0]) {
  return (
    <div className="flex min-h-[70dvh] items-center justify-center px-4 py-12">
      <div className="w-full max-w-card rounded-card border bg-surface p-5 sm:p-8">
        <PageError {...failed} />
      </div>
    </div>
  )
}
