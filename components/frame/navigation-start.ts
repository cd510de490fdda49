/**
 * A function that is called when a navigation starts.
 * @param path the path of the page that loads
 * @param traverses whether the user goes back or forward
 */
type Listener = (path: string, traverses: boolean) => void

const listeners = new Set<Listener>()

/** Announces a navigation of the router. Call it inside the router's transition, which ends when the new page is shown. */
export function announceNavigation(url: string, kind?: string): void {
  const { pathname } = new URL(url, location.href)
  for (const listener of listeners) listener(pathname, kind === 'traverse')
}

/** Subscribes to navigations. @returns a function that unsubscribes */
export function onNavigation(listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
