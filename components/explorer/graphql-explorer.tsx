'use client'

import { createGraphiQLFetcher } from '@graphiql/toolkit'
import { GraphiQL } from 'graphiql'
import { useEffect, useMemo, useState } from 'react'
import { accentTokens } from '../ui/accent'
import { Input } from '../ui/input'
import { dark, light } from '../ui/tokens'
import { type ExampleGroup, QueryShelf, storageOf } from './query-shelf'
import 'graphiql/style.css'
import './narrow-explorer.css'
import { TextLink } from '../ui/link'

/** The signed-in user. */
export type ExplorerUser = { id: string; name: string }

/** The endpoint that runs operations with the browser's session. */
const ownEndpoint = '/graphql/explorer/ask'

const welcome = `# Ctrl+Space: complete
# Ctrl+Enter: run
query Me {
  me {
    id
    workspaces {
      id
      name
    }
  }
}
`

/**
 * Renders GraphiQL for the product's GraphQL API. For a signed-in user, requests go to /graphql/explorer/ask,
 * which uses the session, so that no token reaches the browser (ADR 0025). Users can enter a token instead.
 * Requests with a token, and requests without a session, go to /graphql/v2. The token is kept only in this
 * tab's memory, and is never part of a URL.
 * @param signInHref the URL of the sign-in page, which then returns to the explorer
 */
export default function GraphqlExplorer({
  user,
  accent,
  groups,
  signInHref,
}: {
  user: ExplorerUser | undefined
  accent: string
  groups: ExampleGroup[]
  signInHref: string
}) {
  const [token, setToken] = useState('')
  const [query, setQuery] = useState(welcome)
  const asUser = user !== undefined && token.trim() === ''
  const fetcher = useMemo(
    () =>
      createGraphiQLFetcher(
        asUser
          ? { url: ownEndpoint }
          : { url: '/graphql/v2', headers: token.trim() ? { authorization: `Bearer ${token.trim()}` } : {} },
      ),
    [asUser, token],
  )
  const storage = useMemo(() => storageOf(localStorage, user?.id), [user])
  const response = useFirstResult(user !== undefined && query === welcome)
  return (
    <div className="flex h-full flex-col">
      <style>{explorerColours(accent)}</style>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b px-4 py-2">
        <QueryShelf groups={groups} user={user?.id} query={query} onChoose={setQuery} />
        <Caller user={user} asUser={asUser} signInHref={signInHref} token={token} onToken={setToken} />
      </div>
      <div className="min-h-0 flex-1">
        <GraphiQL
          fetcher={fetcher}
          query={query}
          {...(response === undefined ? {} : { response })}
          onEditQuery={setQuery}
          storage={storage}
          isHeadersEditorEnabled={false}
          shouldPersistHeaders={false}
          forcedTheme={chosenTheme()}
        />
      </div>
    </div>
  )
}

/**
 * Runs the editor's first query and returns its result as JSON, so that the page opens with a result. Returns
 * undefined until the response arrives, or if the request fails.
 * @param wanted whether to run the query: false without a session, and after the editor's text changes
 */
function useFirstResult(wanted: boolean): string | undefined {
  const [result, setResult] = useState<string>()
  useEffect(() => {
    if (!wanted) return
    const request = new AbortController()
    fetch(ownEndpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: welcome }),
      signal: request.signal,
    })
      .then((answer) => answer.json())
      .then((answer) => setResult(JSON.stringify(answer, null, 2)))
      // Ignore the error. If users run the query themselves, they see the error.
      .catch(() => {})
    return () => request.abort()
  }, [wanted])
  return result
}

/**
 * Shows whether operations use the user's own access or a token, and lets the user enter a token. Without a
 * session and a token, shows a link to sign in.
 */
function Caller({
  user,
  asUser,
  signInHref,
  token,
  onToken,
}: {
  user: ExplorerUser | undefined
  asUser: boolean
  signInHref: string
  token: string
  onToken: (token: string) => void
}) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 text-[13px]">
      {asUser && user && (
        <span className="min-w-0 text-muted">
          Runs as <bdi className="font-medium text-text">{user.name}</bdi>, with your full access
        </span>
      )}
      {!user && !token && (
        <span>
          <a href={signInHref} className="text-link underline underline-offset-3">
            Sign in
          </a>{' '}
          to run operations.
        </span>
      )}
      <details className="group">
        <summary className="text-link underline underline-offset-3">
          {token && !asUser ? 'Runs with your token' : 'Use a token'}
        </summary>
        <div className="flex flex-wrap items-center gap-2 pt-2">
          <Input
            aria-label="Token"
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={token}
            onChange={(event) => onToken(event.target.value)}
            placeholder="lk_pat_…"
            className="w-56"
          />
          <span className="text-muted">
            The token isn’t stored. Create a token under <TextLink href="/account/tokens">Tokens</TextLink>.
          </span>
        </div>
      </details>
    </div>
  )
}

const chosenTheme = () => {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** The selectors of the elements for which GraphiQL defines its colors. */
const places = [
  ...['.graphiql-container', '.graphiql-dialog', '.graphiql-dialog-overlay', '.graphiql-tooltip'],
  ...['[data-radix-popper-content-wrapper]', '.CodeMirror-info', '.CodeMirror-lint-tooltip', 'reach-portal'],
]

const fonts = `--font-family: "Inter Variable", "Inter Fallback", system-ui, sans-serif;
--font-family-mono: "JetBrains Mono Variable", "JetBrains Mono Fallback", ui-monospace, monospace;`

/**
 * Returns a style sheet that gives GraphiQL the product's fonts and colors. The dark colors apply if the user
 * selected the dark theme, or if the system uses a dark theme and the user did not select the light theme.
 * @param accent the accent color of the instance
 */
export function explorerColours(accent?: string): string {
  const of = accentTokens(accent)
  const rule = (root: string, colors: string) =>
    `${places.map((place) => `${root} ${place}`).join(',')}{${colors}${fonts}}`
  const [inLight, inDark] = [variables(light, of.light.link), variables(dark, of.dark.link)]
  return [
    rule(':root body', inLight),
    `@media (prefers-color-scheme: dark){${rule(':root:not([data-theme=light]) body', inDark)}}`,
    rule(':root[data-theme=dark] body', inDark),
  ].join('\n')
}

const variables = (scheme: typeof light, link: string) =>
  Object.entries({
    primary: link,
    secondary: scheme.info,
    tertiary: scheme.success,
    info: scheme.info,
    success: scheme.success,
    warning: scheme.warning,
    error: scheme.danger,
    neutral: scheme.text,
    base: scheme.surface,
  })
    .map(([name, color]) => `--color-${name}: ${asHsl(color)};`)
    .join('')

/** Returns `#rrggbb` as hue, saturation, and lightness, which GraphiQL puts into hsl() and hsla(). */
export function asHsl(color: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255) as [
    number,
    number,
    number,
  ]
  const [least, most] = [Math.min(r, g, b), Math.max(r, g, b)]
  const [range, lightness] = [most - least, (most + least) / 2]
  if (range === 0) return `0, 0%, ${percent(lightness)}`
  const saturation = range / (1 - Math.abs(2 * lightness - 1))
  const sixth =
    most === r ? ((g - b) / range + 6) % 6 : most === g ? (b - r) / range + 2 : (r - g) / range + 4
  return `${Math.round(sixth * 60)}, ${percent(saturation)}, ${percent(lightness)}`
}

const percent = (share: number) => `${Math.round(share * 1000) / 10}%`
