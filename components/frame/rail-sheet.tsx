'use client'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button'
import { Menu, X } from '../ui/icon'

/** The rail on phones. A button opens the sheet, and the sheet closes on navigation. */
export function RailSheet({ children }: { children: ReactNode }) {
  const path = usePathname()
  // The state is the path of the page on which the sheet was opened. When the path changes, the sheet closes
  // without an effect.
  const [openOn, setOpenOn] = useState<string | null>(null)
  return (
    <>
      <Button
        variant="quiet"
        size="icon"
        aria-label="Open navigation"
        aria-haspopup="dialog"
        onClick={() => setOpenOn(path)}
      >
        <Menu />
      </Button>
      {openOn === path && <Sheet onClose={() => setOpenOn(null)}>{children}</Sheet>}
    </>
  )
}

/**
 * A native dialog at the left edge. It is rendered only while it is open, because the page also contains the
 * hidden desktop rail.
 */
function Sheet({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog by itself
    <dialog
      ref={dialog}
      aria-label="Navigation"
      onClose={onClose}
      onClick={({ target }) => {
        if (target === dialog.current) dialog.current?.close()
      }}
      className="animate-slide fixed inset-y-0 left-0 m-0 h-dvh max-h-none w-[min(300px,86vw)] border-r bg-background p-0 text-text shadow-overlay backdrop:bg-[rgb(8_10_14/0.5)]"
    >
      <div className="relative flex h-full flex-col p-3">
        {children}
        <Button
          variant="quiet"
          size="icon"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
          className="absolute top-3 right-3"
        >
          <X />
        </Button>
      </div>
    </dialog>
  )
}
