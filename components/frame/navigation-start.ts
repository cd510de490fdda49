/**
 * A function that is called when a navigation starts.
 * @param path the path of the page that loads
 * @param traverses whether the user goes back or forward
 */
type Listener = (path: string, traverses: boolean) => void

const listeners = new Set<Listener>()

/**
 * Notifies all listeners that the router starts a navigation. Call this function within the router's
 * transition. Optimistic state that a listener sets then lasts until the transition ends.
 */
export function announceNavigation(url: string, kind?: string): void {
  const { pathname } = new URL(url, location.href)
  for (const listener of listeners) listener(pathname, kind === 'traverse')
}

/** Subscribes a listener to the start of navigations. @returns a function that unsubscribes */
export function onNavigation(listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
