'use client'

import Form from 'next/form'
import { usePathname } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import type { Palette } from '@/lib/edges/web/console/palette'
import { Avatar } from '../ui/avatar'
import { Check, ChevronsUpDown, LayoutGrid, Plus, Search } from '../ui/icon'
import { Input } from '../ui/input'
import { Link } from '../ui/link'
import type { FrameCookie, FrameWorkspace, FrameWorkspaces } from './frame-types'
import { PopMenu } from './pop-menu'

const label = 'px-2 pt-2 pb-0.5 text-muted text-xs'

/**
 * Shows the rail's workspace. To switch, users search for a workspace, select a listed workspace, or open the
 * page of all workspaces. The component also stores the recently opened workspaces, projects, and apps in
 * cookies.
 */
export function WorkspaceSwitcher({ current, recent, others, cookie, places }: FrameWorkspaces) {
  const [search, setSearch] = useState('')
  const found = useFoundWorkspaces(search)
  const field = useRef<HTMLInputElement>(null)
  const opened = current?.opened ? current.slug : undefined
  useEffect(() => {
    if (opened) write(cookie, [opened, ...recent.map(({ slug }) => slug)])
  }, [opened, recent, cookie])
  const path = usePathname()
  useEffect(() => {
    const place = /^\/workspaces\/[^/]+\/(?:projects|settings\/developer)\/(?!new$)([\w-]+)/.exec(path)?.[1]
    if (place) write(places, [place, ...read(places)])
  }, [path, places])
  const row = ({ slug, name, role, logoUrl }: FrameWorkspace) => (
    <li key={slug}>
      <Link href={`/workspaces/${slug}`} title={name} className="menu-item">
        <Avatar name={name} id={slug} src={logoUrl} size="small" shape="square" />
        <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
        {role && <span className="shrink-0 text-muted text-xs">{role}</span>}
        {slug === current?.slug && <Check label="current" />}
      </Link>
    </li>
  )
  return (
    <PopMenu
      onOpen={() => requestAnimationFrame(() => field.current?.focus({ preventScroll: true }))}
      summaryClass="flex h-10 w-full min-w-0 cursor-pointer select-none items-center gap-2 rounded-[8px] border bg-surface pr-2 pl-1.5 text-left shadow-control hover:border-border-strong"
      popClass="top-[calc(100%+6px)] left-0 w-80 max-w-[calc(100vw-32px)]"
      summary={
        <>
          {current && (
            <Avatar name={current.name} id={current.slug} src={current.logoUrl} size="small" shape="square" />
          )}
          <span className="sr-only">Workspace</span>
          <bdi className="min-w-0 flex-1 truncate pl-0.5 font-medium" title={current?.name}>
            {current?.name ?? 'Choose a workspace'}
          </bdi>
          <ChevronsUpDown className="size-4 shrink-0 text-muted" />
        </>
      }
    >
      <Form action="/workspaces" role="search" className="relative">
        <Search className="absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted" />
        <Input
          ref={field}
          type="search"
          name="search"
          autoComplete="off"
          maxLength={80}
          // The name of this field is in `title` and not in a label. With a label, automation that looks for
          // the “Workspace” field of a page would also find this field.
          title="Find a workspace"
          placeholder="Find a workspace"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="pl-8"
        />
      </Form>
      <div className="max-h-[min(340px,50dvh)] overflow-y-auto">
        {found ? (
          <ul aria-label="Found" className="pt-1">
            {found.map(({ name, href }) => (
              <li key={href}>
                <Link href={href} title={name} className="menu-item">
                  <Avatar name={name} id={href.slice('/workspaces/'.length)} size="small" shape="square" />
                  <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
                </Link>
              </li>
            ))}
            {found.length === 0 && (
              <li className="px-2 py-2 text-[13px] text-muted">No matching workspaces.</li>
            )}
          </ul>
        ) : (
          <>
            {recent.length > 0 && <p className={label}>Recent</p>}
            <ul aria-label="Recent">{recent.map(row)}</ul>
            {others.length > 0 && recent.length > 0 && <p className={label}>More workspaces</p>}
            <ul aria-label="More">{others.map(row)}</ul>
          </>
        )}
      </div>
      <div className="-mx-1 mt-1 border-t px-1 pt-1">
        <Link href="/workspaces" className="menu-item">
          <LayoutGrid /> All workspaces
        </Link>
        <Link href="/workspaces/new" className="menu-item">
          <Plus /> New workspace
        </Link>
      </div>
    </PopMenu>
  )
}

/** Returns the IDs in a cookie, most recent first. Returns an empty array if the cookie does not exist. */
const read = ({ name }: FrameCookie): string[] =>
  document.cookie
    .split('; ')
    .find((each) => each.startsWith(`${name}=`))
    ?.slice(name.length + 1)
    .split('.') ?? []

/** Stores the first `most` IDs in a cookie for one year, each ID only once. */
function write({ name, secure, most }: FrameCookie, ids: readonly string[]): void {
  const value = [...new Set(ids)].slice(0, most).join('.')
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax${secure ? '; secure' : ''}`
}

/** The delay between the last keystroke and the request, in milliseconds. */
const pause = 150

/** The maximum number of search results. The page of all workspaces shows further results. */
const most = 8

export type FoundWorkspace = { name: string; href: string }

/**
 * Returns the user's workspaces whose names contain a search text. Until the server responds, returns the
 * matching results of the previous search.
 * @returns up to `most` workspaces; undefined if the text is empty, or if no match is known before the server
 * responds
 */
function useFoundWorkspaces(search: string): FoundWorkspace[] | undefined {
  const [found, setFound] = useState<{ for: string; rows: FoundWorkspace[] }>()
  const asked = search.trim()
  useEffect(() => {
    if (!asked) return
    const control = new AbortController()
    const timer = setTimeout(async () => {
      const response = await fetch(`/palette?${new URLSearchParams({ search: asked })}`, {
        signal: control.signal,
      }).catch(() => undefined)
      if (!response?.ok) return
      const { entries } = (await response.json()) as Palette
      const rows = entries
        .filter(({ group }) => group === 'Workspaces')
        .map(({ label, href }) => ({ name: label, href }))
      setFound({ for: asked, rows })
    }, pause)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [asked])
  if (!asked || !found) return undefined
  const words = asked.toLowerCase().split(/\s+/)
  const matches = (name: string) => words.every((word) => name.includes(word))
  const rows = found.rows.filter(({ name }) => matches(name.toLowerCase())).slice(0, most)
  return rows.length > 0 || found.for === asked ? rows : undefined
}
