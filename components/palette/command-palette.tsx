'use client'
import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { loadPaletteDialog } from './load-palette-dialog'
import { setPaletteOpen, usePaletteOpen } from './palette-open'

const PaletteDialog = dynamic(loadPaletteDialog, { ssr: false })

/**
 * Ctrl or Cmd and K open the command palette anywhere in the console. Its code and its data are fetched when it first opens.
 * @param workspace the slug of the workspace whose pages are open
 */
export function CommandPalette({ workspace }: { workspace: string | undefined }) {
  const open = usePaletteOpen()
  const [wanted, setWanted] = useState(false)
  if (open && !wanted) setWanted(true)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      if (event.altKey || event.shiftKey || event.isComposing) return
      // What a dialog asks has to be answered first; it lies above everything else.
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
