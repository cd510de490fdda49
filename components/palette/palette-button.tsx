'use client'
import { Search } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { cn } from '../ui/cn'
import { loadPaletteDialog } from './load-palette-dialog'
import { setPaletteOpen } from './palette-open'

const never = () => () => {}

/** Opens the command palette. `compact` is the phone's: the same without the keys, which there are none of. */
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
        'needs-script flex h-9 items-center gap-2.5 rounded-control border border-border-strong bg-background px-2.5 text-left text-muted hover:bg-hover hover:text-text',
        compact ? 'ml-auto shrink-0' : 'w-full',
      )}
    >
      <Search aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 truncate">Jump to…</span>
      {!compact && (
        <kbd aria-hidden className="w-[38px] shrink-0 text-right font-sans text-xs">
          {apple ? '⌘ K' : 'Ctrl K'}
        </kbd>
      )}
    </button>
  )
}
