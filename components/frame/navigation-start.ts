type Listener = () => void

const listeners = new Set<Listener>()

/** Announces a navigation of the router. Call it inside the transition that ends with the page. */
export function announceNavigation(): void {
  for (const listener of listeners) listener()
}

/** Subscribes to navigations. @returns a function that unsubscribes */
export function onNavigation(listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
