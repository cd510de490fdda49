import type { ReactNode } from 'react'
import { CommandPalette, PaletteButton } from '../palette/palette-button'
import { Avatar } from '../ui/avatar'
import { Toaster } from '../ui/toast'
import { type Brand, Logo, SkipLink } from './brand'
import type { FrameTheme, FrameUser, FrameWorkspaces } from './frame-types'
import { LoadingPart, Navigation } from './navigation'
import { Rail } from './rail'
import { RailSheet } from './rail-sheet'

/**
 * The frame of the console: the rail, and the page in a panel next to the rail. On phones, a button opens the
 * rail as a sheet. On phones without JavaScript, the rail is above the page.
 */
export function ConsoleFrame({
  brand,
  user,
  workspaces,
  theme,
  children,
}: {
  brand: Brand
  user: FrameUser
  workspaces: FrameWorkspaces
  theme: FrameTheme
  children: ReactNode
}) {
  const { current } = workspaces
  const rail = <Rail brand={brand} user={user} workspaces={workspaces} theme={theme} />
  return (
    <Navigation>
      <div className="min-h-dvh max-md:flex max-md:flex-col md:grid md:grid-cols-[248px_minmax(0,1fr)]">
        <SkipLink>Skip to content</SkipLink>
        <aside
          aria-label="Sidebar"
          className="sticky top-0 z-20 hidden h-dvh min-w-0 flex-col py-3 pr-1 pl-3 md:flex max-md:noscript:static max-md:noscript:flex max-md:noscript:h-auto max-md:noscript:p-3"
        >
          {rail}
        </aside>
        <header className="flex h-[52px] shrink-0 items-center gap-1.5 px-2 md:hidden noscript:hidden">
          <RailSheet>{rail}</RailSheet>
          {current ? (
            <Avatar name={current.name} id={current.slug} src={current.logoUrl} size="small" shape="square" />
          ) : (
            <Logo brand={brand} />
          )}
          <bdi className="min-w-0 truncate pl-1 font-semibold">{current?.name ?? brand.serviceName}</bdi>
          <PaletteButton compact />
        </header>
        <div className="min-w-0 border bg-surface shadow-panel max-md:flex-1 max-md:rounded-t-panel max-md:border-x-0 max-md:border-b-0 md:my-2 md:mr-2 md:ml-1 md:rounded-panel">
          <main
            id="content"
            tabIndex={-1}
            className="mx-auto w-full max-w-[calc(1120px+clamp(32px,6vw,80px))] px-[clamp(16px,3vw,40px)] pt-5 pb-16 md:pt-7"
          >
            <LoadingPart>{children}</LoadingPart>
          </main>
        </div>
        <CommandPalette workspace={current?.slug} />
        <Toaster />
        <script src="/missing.js" defer data-missing="Fill in this field." data-choose="Choose an option." />
      </div>
    </Navigation>
  )
}
