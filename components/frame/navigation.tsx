'use client'
import { usePathname } from 'next/navigation'
import { createContext, type ReactNode, useContext, useEffect, useOptimistic, useState } from 'react'
import { Skeleton } from '../ui/stack'
import { toast } from '../ui/toast'
import { onNavigation } from './navigation-start'

/**
 * The time in milliseconds after which a line and a skeleton are shown. If they appeared earlier, they would
 * flash even when a page loads fast.
 */
const patience = 150

/**
 * The path of the page that is loading, and whether its skeleton is shown because the page is slow. The path
 * is undefined while no page is loading.
 */
type Destination = { path: string | undefined; slow: boolean }

const Underway = createContext<Destination>({ path: undefined, slow: false })

/**
 * Shows immediately where a navigation leads: the frame's links mark the new page. If the page is slow, a
 * line at the top of the window and a skeleton appear. ADR 0030 explains why there is no `loading.tsx`.
 */
export function Navigation({ children }: { children: ReactNode }) {
  // Use optimistic state, which lasts until the router's transition ends or fails.
  const [next, setNext] = useOptimistic<{ path: string; traverses: boolean } | undefined>(undefined)
  const [slow, setSlow] = useState(false)
  useEffect(() => onNavigation((path, traverses) => setNext({ path, traverses })), [setNext])
  const underWay = next !== undefined
  useEffect(() => {
    if (!underWay) return
    const timer = setTimeout(() => setSlow(true), patience)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [underWay])
  const shown = underWay && slow
  return (
    // If the user goes back or forward, there is no skeleton, because a skeleton would lose the scroll
    // position that the browser restores.
    <Underway value={{ path: next?.path, slow: shown && !next.traverses }}>
      {shown && (
        <div
          role="progressbar"
          aria-label="Loading the page"
          className="animate-progress fixed inset-x-0 top-0 z-60 h-0.5 origin-left bg-link"
        />
      )}
      <OfflineGuard />
      {children}
    </Underway>
  )
}

/** Returns the path of the page that is loading or, if no page is loading, of the page that is shown. */
export function usePlace(): string {
  const path = usePathname()
  return useContext(Underway).path ?? path
}

/**
 * Replaces a part of the page with a skeleton while another page is slow to load. If such parts are nested,
 * only the innermost one that also exists on the new page shows the skeleton.
 * @param covers returns whether the page at a path has the same frame around this part
 * @param header replaces the skeleton of the heading
 */
export function LoadingPart({
  covers = () => true,
  inner = false,
  header,
  children,
}: {
  covers?: (path: string) => boolean
  /** Whether this part is within another LoadingPart. */
  inner?: boolean
  header?: ReactNode
  children: ReactNode
}) {
  const here = usePathname()
  const { path, slow } = useContext(Underway)
  const loading = slow && path !== undefined && path !== here && covers(path)
  return (
    <>
      {/* The page stays in the document because the navigation might fail. The forms of the page must then still contain
          their input. */}
      <div className={loading ? (inner ? 'hidden' : '[&:not(:has([data-loading]))]:hidden') : undefined}>
        {children}
      </div>
      {loading && (
        <div {...(inner ? { 'data-loading': '' } : { className: '[:has([data-loading])+&]:hidden' })}>
          <Outline header={header} />
        </div>
      )}
    </>
  )
}

/** The outline of a page with a heading and a list. */
function Outline({ header }: { header: ReactNode }) {
  return (
    <div aria-hidden className="animate-appear">
      {header ?? (
        <div className="mb-7 grid gap-2.5 pt-1">
          <Skeleton className="h-6 w-44" />
          <Skeleton className="w-80 max-w-full" />
        </div>
      )}
      <div className="divide-y rounded-card border">
        {['w-1/2', 'w-2/5', 'w-3/5', 'w-1/3', 'w-1/2', 'w-2/5'].map((width, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
          <div key={row} className="flex h-11 items-center gap-4 px-4">
            <Skeleton className={width} />
            <Skeleton className="ml-auto w-16" />
          </div>
        ))}
      </div>
    </div>
  )
}

/**
 * Holds link clicks and form submissions while the browser is offline, because the browser would replace the
 * page and its input with an error page. If the server responds to a test request, the click or submission is
 * repeated. If not, a toast appears.
 */
function OfflineGuard() {
  useEffect(() => {
    let reachable = false
    const hold = (event: Event, repeat: () => void) => {
      event.preventDefault()
      event.stopImmediatePropagation()
      // Test the connection, because a browser without a network can still reach a server on the same
      // machine.
      fetch('/healthz', { cache: 'no-store' }).then(
        () => {
          reachable = true
          repeat()
          reachable = false
        },
        () => toast('You’re offline. This page stays open.', 'danger'),
      )
    }
    const follow = (event: MouseEvent) => {
      if (reachable || navigator.onLine || event.defaultPrevented || opensElsewhere(event)) return
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!link?.href.startsWith(location.origin) || link.target || link.hasAttribute('download')) return
      const { pathname, search, hash } = new URL(link.href)
      if (hash && pathname === location.pathname && search === location.search) return
      hold(event, () => link.click())
    }
    const post = (event: SubmitEvent) => {
      const form = event.target as HTMLFormElement
      // Ignore forms with a server action, whose input useFormAction keeps. Their `action` attribute contains
      // no path.
      if (reachable || navigator.onLine || !form.getAttribute('action')?.startsWith('/')) return
      hold(event, () => form.requestSubmit(event.submitter))
    }
    document.addEventListener('click', follow, true)
    document.addEventListener('submit', post, true)
    return () => {
      document.removeEventListener('click', follow, true)
      document.removeEventListener('submit', post, true)
    }
  }, [])
  return null
}

const opensElsewhere = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey
