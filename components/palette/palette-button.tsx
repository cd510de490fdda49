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
        'needs-script flex h-8 items-center gap-2 rounded-control border text-left text-muted hover:border-border-strong hover:text-text',
        compact ? 'ml-auto size-10 shrink-0 justify-center border-transparent' : 'w-full pr-1.5 pl-2',
      )}
    >
      <Search aria-hidden className="size-4 shrink-0" />
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
