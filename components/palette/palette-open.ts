import { useSyncExternalStore } from 'react'

let open = false
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Opens or closes the command palette, from any client component of the console's frame. */
export function setPaletteOpen(next: boolean): void {
  open = next
  for (const listener of listeners) listener()
}

/** Returns whether the command palette is open. */
export const usePaletteOpen = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => open,
    () => false,
  )
