'use client'
import { useEffect, useSyncExternalStore } from 'react'
import { CircleAlert, CircleCheck, X } from './icon'
import { useSay } from './use-say'

type Toast = { id: number; message: string; tone: 'success' | 'danger'; undo?: (() => void) | undefined }

let shown: Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function publish(next: Toast[]) {
  shown = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const none: Toast[] = []

/**
 * Reports the result of a user's action from any client component. Up to three toasts are visible at the same
 * time. A success disappears after 5 seconds. An error stays until the user closes it or newer toasts replace
 * it.
 * @param undo undoes the action when the user presses Undo; a success with `undo` stays for 12 seconds
 */
export function toast(message: string, tone: Toast['tone'] = 'success', undo?: () => void): void {
  const id = ++lastId
  publish([...shown, { id, message, tone, undo }].slice(-3))
  if (tone === 'success') setTimeout(() => dismiss(id), undo ? 12_000 : 5000)
}

function dismiss(id: number) {
  publish(shown.filter((one) => one.id !== id))
}

/**
 * Renders the toasts. The console's frame contains this component, as does an auth page whose forms use
 * toasts. A page must not contain it twice.
 */
export function Toaster() {
  const say = useSay()
  const toasts = useSyncExternalStore(
    subscribe,
    () => shown,
    () => none,
  )
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-60 grid justify-items-end gap-2"
    >
      {toasts.map(({ id, message, tone, undo }) => (
        <div
          key={id}
          className="animate-appear pointer-events-auto flex max-w-sm items-center gap-2.5 rounded-card border border-border-strong bg-overlay py-2 ps-3 pe-2 text-[13px] shadow-overlay"
        >
          {tone === 'success' ? (
            <CircleCheck className="size-4 shrink-0 text-success" />
          ) : (
            <CircleAlert className="size-4 shrink-0 text-danger" />
          )}
          <p className="min-w-0 flex-1">{message}</p>
          {undo && (
            <button
              type="button"
              onClick={() => {
                dismiss(id)
                undo()
              }}
              className="rounded-control px-2 py-1 font-medium text-muted hover:bg-hover hover:text-text"
            >
              {say('shared.undo')}
            </button>
          )}
          <button
            type="button"
            aria-label={say('shared.close')}
            onClick={() => dismiss(id)}
            className="rounded-control p-1 text-muted hover:bg-hover"
          >
            <X className="size-4" />
          </button>
        </div>
      ))}
    </div>
  )
}

/**
 * Shows a toast when this component is mounted or its message changes. Render it if a server action
 * succeeded.
 */
export function ToastOnce({ message, tone }: { message: string; tone?: Toast['tone'] }) {
  useEffect(() => toast(message, tone), [message, tone])
  return null
}
