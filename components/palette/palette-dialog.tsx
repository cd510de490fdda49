'use client'
import { Command } from 'cmdk'
import { useRouter } from 'next/navigation'
import { Dialog as Primitive } from 'radix-ui'
import { useRef, useState } from 'react'
import type { PaletteEntry } from '@/lib/edges/web/console/palette'
import { Dialog, dialogOverlay } from '../ui/dialog'
import { Search } from '../ui/icon'
import { PaletteList } from './palette-list'
import { setPaletteOpen } from './palette-open'

/** The command palette: a field, and below it the matches. */
export default function PaletteDialog({ open, workspace }: { open: boolean; workspace: string | undefined }) {
  const opener = useRef<Element | null>(null)
  return (
    <Dialog open={open} onOpenChange={setPaletteOpen}>
      <Primitive.Portal>
        <Primitive.Overlay className={dialogOverlay} />
        <Primitive.Content
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (opener.current instanceof HTMLElement) opener.current.focus()
          }}
          className="animate-appear fixed inset-x-4 top-4 z-50 mx-auto flex max-h-[min(460px,calc(100dvh-32px))] max-w-[600px] flex-col overflow-clip rounded-card border bg-surface shadow-overlay sm:top-[12vh]"
        >
          <Primitive.Title className="sr-only">Jump to a page or action</Primitive.Title>
          <Palette workspace={workspace} />
        </Primitive.Content>
      </Primitive.Portal>
    </Dialog>
  )
}

/**
 * The content of the dialog. It is mounted only while the dialog is open, so that the search text is empty
 * the next time.
 */
function Palette({ workspace }: { workspace: string | undefined }) {
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const [search, setSearch] = useState('')
  const choose = ({ href, post }: PaletteEntry) => {
    if (post && form.current) {
      form.current.action = href
      form.current.submit()
      return
    }
    setPaletteOpen(false)
    router.push(href)
  }
  return (
    <>
      <Command loop label="Jump to" filter={rank} className="flex min-h-0 flex-col">
        <div className="flex items-center gap-2.5 border-b px-4">
          <Search className="size-4 shrink-0 text-muted" />
          <Command.Input
            value={search}
            onValueChange={setSearch}
            placeholder="Jump to a project, an app, a setting…"
            className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none sm:text-sm"
          />
          <Primitive.Close className="rounded-control border px-1.5 py-0.5 text-muted text-xs hover:bg-hover hover:text-text">
            Esc<span className="sr-only">, close</span>
          </Primitive.Close>
        </div>
        <PaletteList search={search} workspace={workspace} onChoose={choose} />
      </Command>
      <form ref={form} method="post" hidden />
    </>
  )
}

/**
 * Returns the rank of an entry for a search. The rank is 0 if a word of the search is in none of the entry's
 * texts. It is highest if the entry's name starts with the first word.
 */
function rank(_key: string, search: string, texts: string[] = []): number {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const [label = '', ...others] = texts.map((text) => text.toLowerCase())
  const whole = [label, ...others].join(' ')
  if (!words.every((word) => whole.includes(word))) return 0
  const first = words[0] ?? ''
  if (label.startsWith(first)) return 1
  return label.includes(first) ? 0.8 : 0.5
}
