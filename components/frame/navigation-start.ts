type Listener = () => void

const listeners = new Set<Listener>()

/** Says that the router goes to another page. Called inside the transition that ends with that page. */
export function announceNavigation(): void {
  for (const listener of listeners) listener()
}

/** Listens for that. @returns what ends it */
export function onNavigation(listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
