import { AppError } from '@/lib/base/errors/app-error'
import { findApps } from '@/lib/features/apps/read-apps'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { type BrowserSession, sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { findProjects } from '@/lib/features/projects/search-projects'
import { listReachableWorkspaces } from '@/lib/features/workspaces/list-workspaces'
import { allows } from '@/lib/policy/permissions'
import type { WorkspaceRow } from '@/lib/policy/require'
import { staysOutside } from '@/lib/policy/two-factor'
import { answerJson } from '../forms/answer-form'
import { accountArea, type ConsoleArea, instanceAdminArea, workspaceSettingsPages } from './console-pages'

/** A place or an action that the command palette offers. */
export type PaletteEntry = {
  /** The heading it stands under. */
  group: string
  label: string
  /** What tells it from others of its name: the workspace it belongs to. */
  hint?: string
  href: string
  /** The address takes a POST: an action, not a place. */
  post?: true
  /** Offered only once something was typed that matches it. */
  onSearch?: true
}

/** What the command palette loads. `more`: not all there is, so that what is typed has to be searched for here. */
export type Palette = { entries: PaletteEntry[]; more: boolean }

/** What someone typed, word by word; the order does not matter. */
const wordsOf = (text: string): string[] =>
  text.slice(0, 80).toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8)

/** Whether an entry's own texts hold every word. */
function holdsWords({ group, label, hint = '' }: PaletteEntry, words: readonly string[]): boolean {
  const text = `${label} ${hint} ${group}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/** How many projects and how many apps at once, and of how many workspaces the pages. */
const most = 40
const mostWorkspaces = 20

/**
 * What the command palette offers a person: only what they may open. Three statements, whatever they have.
 * @param search what was typed; with it only workspaces, projects, apps and pages of workspaces are searched for
 * @param slug the workspace whose pages come first
 */
export async function listPalette(
  { actor }: BrowserSession,
  search: string,
  slug: string | undefined,
): Promise<Palette> {
  const words = wordsOf(search)
  const [reachable, projects, apps] = await Promise.all([
    listReachableWorkspaces(actor),
    findProjects(actor, words, most + 1),
    findApps(actor, words, most + 1),
  ])
  const enterable = reachable.filter((row) => !(row.requireTwoFactor && staysOutside(actor)))
  const current = enterable.find((row) => row.slug === slug) ?? enterable[0]
  const own: PaletteEntry[] = reachable.map(({ name, slug: place }) => ({
    group: 'Workspaces',
    label: name,
    href: `/workspaces/${place}`,
  }))
  const pages = [current, ...enterable.filter((row) => row !== current)]
    .filter((row) => row !== undefined)
    .map((row) => pagesOf(row, row === current))
  const found: PaletteEntry[] = [
    ...projects.slice(0, most).map(({ id, name, workspaceName, workspaceSlug }) => ({
      group: 'Projects',
      label: name,
      hint: workspaceName,
      href: `/workspaces/${workspaceSlug}/projects/${id}`,
    })),
    ...apps.slice(0, most).map(({ id, name, workspaceName, workspaceSlug }) => ({
      group: 'Apps',
      label: name,
      hint: workspaceName,
      href: `/workspaces/${workspaceSlug}/settings/developer/${id}/overview`,
    })),
  ]
  const more = projects.length > most || apps.length > most || reachable.length > mostWorkspaces
  if (words.length > 0) {
    const matching = [...own, ...pages.flat()].filter((entry) => holdsWords(entry, words))
    return { entries: [...matching.slice(0, most), ...found], more: more || matching.length > most }
  }
  const entries = [
    ...pages.slice(0, mostWorkspaces).flat(),
    ...found,
    ...own.slice(0, mostWorkspaces),
    ...personal(actor.instanceAdmin),
  ]
  return { entries, more }
}

/** The pages of a workspace and what can be begun there; those of other workspaces wait until they are searched for. */
function pagesOf(row: WorkspaceRow, current: boolean): PaletteEntry[] {
  const home = `/workspaces/${row.slug}`
  const may = (permission: Parameters<typeof allows>[1]) => allows(row.role, permission)
  const entry = (group: string, label: string, href: string): PaletteEntry => ({
    group,
    label,
    hint: row.name,
    href: `${home}${href}`,
    ...(current ? {} : { onSearch: true }),
  })
  return [
    entry(row.name, 'Projects', '/projects'),
    ...(may('workspace:read-members') ? [entry(row.name, 'Members', '/members')] : []),
    ...workspaceSettingsPages('', row.role).map(({ label, href }) =>
      entry(row.name, `Settings: ${label}`, href),
    ),
    ...(may('workspace:create-project') ? [entry('Actions', 'New project', '/projects/new')] : []),
    ...(may('workspace:manage-apps') ? [entry('Actions', 'New OAuth App', '/settings/developer/new')] : []),
    ...(may('workspace:manage-webhooks') ? [entry('Actions', 'New webhook', '/settings/webhooks/new')] : []),
    ...(may('workspace:manage-members') ? [entry('Actions', 'Invite someone', '/members')] : []),
  ]
}

/** What is the person's own, and what everyone has. */
function personal(instanceAdmin: boolean): PaletteEntry[] {
  const under = ({ label: group, pages }: ConsoleArea): PaletteEntry[] =>
    pages.map(({ label, href }) => ({ group, label, href }))
  return [
    { group: 'Actions', label: 'New token', href: '/account/tokens/new' },
    { group: 'Actions', label: 'New workspace', href: '/workspaces/new' },
    { group: 'Actions', label: 'Sign out', href: '/logout', post: true },
    ...under(accountArea),
    ...(instanceAdmin ? under(instanceAdminArea) : []),
    ...docsNavigation.flatMap(({ pages }) =>
      pages.map(({ title, href }) => ({ group: 'Docs', label: title, href })),
    ),
  ]
}

/**
 * GET /palette: what the command palette offers the person signed in, for our own pages alone.
 * `search` is what was typed, `workspace` the slug of the workspace whose pages are open.
 * @returns 401 when nobody is signed in, 403 to other sites
 */
export const answerPalette = (request: Request): Promise<Response> =>
  answerJson(request, async (visitor) => {
    const session = await sessionFromCookies(request.headers.get('cookie') ?? undefined, visitor)
    if (!session) throw new AppError('UNAUTHENTICATED')
    const { searchParams } = new URL(request.url)
    return listPalette(session, searchParams.get('search') ?? '', searchParams.get('workspace') ?? undefined)
  })
