import { AppError } from '@/lib/base/errors/app-error'
import { byName } from '@/lib/base/language/languages'
import { findApps } from '@/lib/features/apps/read-apps'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { type BrowserSession, sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { findProjects } from '@/lib/features/projects/search-projects'
import { listReachableWorkspaces } from '@/lib/features/workspaces/list-workspaces'
import { allows } from '@/lib/policy/permissions'
import type { WorkspaceRow } from '@/lib/policy/require'
import { lacksTwoFactor } from '@/lib/policy/two-factor'
import { answerJson } from '../forms/answer-form'
import { accountArea, type ConsoleArea, instanceAdminArea, workspaceSettingsPages } from './console-pages'

/** A page or an action in the command palette. */
export type PaletteEntry = {
  /** The heading above the entry. */
  group: string
  label: string
  /** The name of the entry's workspace, which distinguishes the entry from others with the same label. */
  hint?: string
  href: string
  /** Whether choosing the entry sends a POST request to `href` instead of opening a page. */
  post?: true
  /** Whether to show the entry only if it matches a search. */
  onSearch?: true
}

/**
 * The command palette's entries. If `more` is true, the list can be incomplete, and the page must send
 * searches to the server.
 */
export type Palette = { entries: PaletteEntry[]; more: boolean }

/**
 * Returns the first eight words in the first 80 characters of a search text, in lowercase. The search ignores
 * the order of the words.
 */
const wordsOf = (text: string): string[] =>
  text.slice(0, 80).toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8)

/** Returns whether an entry contains every word of a search. */
function holdsWords({ group, label, hint = '' }: PaletteEntry, words: readonly string[]): boolean {
  const text = `${label} ${hint} ${group}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/**
 * The maximum number of projects and the maximum number of apps in a response. In search results, also the
 * maximum number of workspaces and workspace pages together.
 */
const most = 40
/** The maximum number of workspaces that the palette lists, with their pages, if the search text is empty. */
const mostWorkspaces = 20

/**
 * Returns the command palette entries that the user can open. Runs three statements. If the session lacks
 * two-factor authentication, omits the pages, projects, and apps of workspaces that require it.
 * @param search the search text; unless it is empty, the result contains only matching workspaces, workspace
 *   pages, projects, and apps
 * @param slug the slug of the current workspace, whose pages are listed first; if no workspace has this slug,
 *   the user's first workspace counts as the current one
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
  const enterable = reachable.filter((row) => !(row.requireTwoFactor && lacksTwoFactor(actor)))
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
    ...projects
      .slice(0, most)
      .sort(byName)
      .map(({ id, name, workspaceName, workspaceSlug }) => ({
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

/**
 * Returns the entries for a workspace's pages and actions that the user's role allows.
 * @param current whether the workspace is the current one; if not, the palette shows the entries only in
 * search results
 */
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
    ...(may('workspace:manage-members') ? [entry('Actions', 'Invite people', '/members/invite')] : []),
  ]
}

/**
 * Returns the user's own pages and actions, the pages for instance admins if the user is one, and the docs.
 */
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
 * Handles GET /palette: returns the signed-in user's command palette as JSON. `search` is the search text,
 * and `workspace` is the slug of the current workspace.
 * @returns 401 without a session, 403 if the request did not come from one of this instance's pages
 */
export const answerPalette = (request: Request): Promise<Response> =>
  answerJson(request, async (visitor) => {
    const session = await sessionFromCookies(request.headers.get('cookie') ?? undefined, visitor)
    if (!session) throw new AppError('UNAUTHENTICATED')
    const { searchParams } = new URL(request.url)
    return listPalette(session, searchParams.get('search') ?? '', searchParams.get('workspace') ?? undefined)
  })
