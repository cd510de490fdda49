import type { ReactNode } from 'react'
import type { ConsoleArea } from '@/lib/edges/web/console/console-pages'
import { CommandPalette } from '../palette/command-palette'
import { PaletteButton } from '../palette/palette-button'
import { Toaster } from '../ui/toast'
import { type Brand, Logo } from './brand'
import type { FramePerson, FrameWorkspace } from './frame-types'
import { NavigationLine } from './navigation-line'
import { Rail } from './rail'
import { RailSheet } from './rail-sheet'
import { SkipLink } from './skip-link'

/** The console: a rail at the left (on phones a sheet, or above the page where no script opens it), and a column of at most 1040 px for the page. */
export function ConsoleFrame({
  brand,
  person,
  workspace,
  workspaces,
  area,
  children,
}: {
  brand: Brand
  person: FramePerson
  workspaces: FrameWorkspace[]
  /** The workspace whose pages these are; absent on account and home pages. */
  workspace?: FrameWorkspace | undefined
  /** The pages beside the workspaces that this is one of. */
  area?: ConsoleArea | undefined
  children: ReactNode
}) {
  const rail = (
    <Rail brand={brand} person={person} workspace={workspace} workspaces={workspaces} area={area} />
  )
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[240px_minmax(0,1fr)]">
      <SkipLink />
      <NavigationLine />
      <aside className="sticky top-0 hidden h-dvh flex-col border-r bg-surface md:flex max-md:noscript:static max-md:noscript:flex max-md:noscript:h-auto max-md:noscript:border-r-0 max-md:noscript:border-b">
        {rail}
      </aside>
      <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b bg-surface px-2 md:hidden noscript:hidden">
        <RailSheet>{rail}</RailSheet>
        <Logo brand={brand} />
        <span className="truncate font-semibold">{workspace?.name ?? brand.serviceName}</span>
        <PaletteButton compact />
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-content px-4 pt-6 pb-16 sm:px-8 sm:pt-8"
      >
        {children}
      </main>
      <CommandPalette workspace={workspace?.slug} />
      <Toaster />
    </div>
  )
}
