'use client'

import dynamic from 'next/dynamic'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { cn } from '../ui/cn'
import { Search } from '../ui/icon'
import { loadPaletteDialog } from './load-palette-dialog'
import { setPaletteOpen, usePaletteOpen } from './palette-open'

const never = () => () => {}

/** A button that opens the command palette. `compact` is the variant for phones, which shows only an icon. */
export function PaletteButton({ compact = false }: { compact?: boolean }) {
  const apple = useSyncExternalStore(
    never,
    () => /Mac|iPhone|iPad/.test(navigator.platform),
    () => false,
  )
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts={apple ? 'Meta+K' : 'Control+K'}
      onClick={() => setPaletteOpen(true)}
      onPointerEnter={loadPaletteDialog}
      onFocus={loadPaletteDialog}
      className={cn(
        'needs-script flex h-8 items-center gap-2 rounded-control border text-left text-muted hover:border-border-strong hover:text-text',
        compact ? 'ml-auto size-10 shrink-0 justify-center border-transparent' : 'w-full pr-1.5 pl-2',
      )}
    >
      <Search className="size-4 shrink-0" />
      <span className={compact ? 'sr-only' : 'min-w-0 flex-1 truncate'}>Jump to…</span>
      {!compact && (
        <kbd
          aria-hidden
          className="w-[46px] shrink-0 rounded-[4px] border bg-surface text-center font-medium font-sans text-[11px] leading-[18px]"
        >
          {apple ? '⌘ K' : 'Ctrl K'}
        </kbd>
      )}
    </button>
  )
}

const PaletteDialog = dynamic(loadPaletteDialog, { ssr: false })

/**
 * The command palette. Ctrl+K or Cmd+K opens it anywhere in the console, unless a dialog is open. Its data is
 * loaded each time it opens. Its code is loaded when it first opens or, earlier, when the pointer or the
 * focus reaches the button.
 * @param workspace the slug of the workspace in the rail
 */
export function CommandPalette({ workspace }: { workspace: string | undefined }) {
  const open = usePaletteOpen()
  const [wanted, setWanted] = useState(false)
  if (open && !wanted) setWanted(true)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      if (event.altKey || event.shiftKey || event.isComposing) return
      // Do nothing while a dialog is open, because the dialog is above everything else. The user must close
      // it first.
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      setPaletteOpen(true)
    }
    window.addEventListener('keydown', listen)
    const leave = () => setPaletteOpen(false)
    window.addEventListener('popstate', leave)
    return () => {
      window.removeEventListener('keydown', listen)
      window.removeEventListener('popstate', leave)
    }
  }, [])
  return wanted && <PaletteDialog open={open} workspace={workspace} />
}
