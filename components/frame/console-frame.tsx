import type { ReactNode } from 'react'
import { Toaster } from '../ui/toast'
import { type Brand, Logo } from './brand'
import { Rail } from './rail'
import { RailSheet } from './rail-sheet'
import { SkipLink } from './skip-link'

export type FrameWorkspace = {
  name: string
  slug: string
  logoUrl?: string | null
  /** "Admin", "Member", "Viewer", or "Guest" for someone who only shares a project. */
  role?: string
}

export type FramePerson = {
  name: string
  email: string
  avatarUrl?: string | null
  /** Adds the way to the instance's own pages. */
  operator?: boolean
  /** How many notifications are unread. */
  unread?: number
}

export type ConsoleFrameProps = {
  brand: Brand
  person: FramePerson
  workspaces: FrameWorkspace[]
  /** The workspace whose pages these are; absent on account and home pages. */
  workspace?: FrameWorkspace | undefined
  /** Where the sign-out form posts. */
  signOutAction?: string
  createWorkspaceHref?: string
  children: ReactNode
}

/** The console: a rail at the left (a sheet on phones), and a column of at most 1040 px for the page. */
export function ConsoleFrame({
  children,
  signOutAction = '/logout',
  createWorkspaceHref = '/workspaces/new',
  ...rest
}: ConsoleFrameProps) {
  const rail = <Rail {...rest} signOutAction={signOutAction} createWorkspaceHref={createWorkspaceHref} />
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[240px_minmax(0,1fr)]">
      <SkipLink />
      <aside className="sticky top-0 hidden h-dvh flex-col border-r bg-surface md:flex">{rail}</aside>
      <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b bg-surface px-2 md:hidden">
        <RailSheet>{rail}</RailSheet>
        <Logo brand={rest.brand} />
        <span className="truncate font-semibold">{rest.workspace?.name ?? rest.brand.serviceName}</span>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-content px-4 pt-6 pb-16 sm:px-8 sm:pt-8"
      >
        {children}
      </main>
      <Toaster />
    </div>
  )
}
