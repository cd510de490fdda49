'use client'

import { createGraphiQLFetcher } from '@graphiql/toolkit'
import { GraphiQL } from 'graphiql'
import 'graphiql/style.css'
import './narrow-explorer.css'
import { useMemo, useState } from 'react'
import { Input } from '../ui/input'
import { TextLink } from '../ui/text-link'
import { explorerColours } from './explorer-colours'
import { type ExampleGroup, QueryShelf } from './query-shelf'
import { storageOf } from './saved-queries'

/** Who is signed in to this browser. */
export type ExplorerPerson = { id: string; name: string }

const welcome = `# Ctrl-Space completes, Ctrl-Enter runs.
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
 * GraphiQL over the product's own endpoint. For whoever is signed in it asks through /graphql/explorer/ask, where the session
 * speaks for them and no token comes to the browser (decision 207). A token that is typed instead is kept in this tab's memory
 * alone: it is neither stored nor part of any address.
 * @param signInHref where to sign in, and come back from
 */
export default function GraphqlExplorer({
  person,
  accent,
  groups,
  signInHref,
}: {
  person: ExplorerPerson | undefined
  accent: string
  groups: ExampleGroup[]
  signInHref: string
}) {
  const [token, setToken] = useState('')
  const [query, setQuery] = useState(welcome)
  const asPerson = person !== undefined && token.trim() === ''
  const fetcher = useMemo(
    () =>
      createGraphiQLFetcher(
        asPerson
          ? { url: '/graphql/explorer/ask' }
          : { url: '/graphql/v2', headers: token.trim() ? { authorization: `Bearer ${token.trim()}` } : {} },
      ),
    [asPerson, token],
  )
  const storage = useMemo(() => storageOf(localStorage, person?.id), [person])
  return (
    <div className="flex h-full flex-col">
      <style>{explorerColours(accent)}</style>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b px-4 py-2">
        <QueryShelf groups={groups} person={person?.id} query={query} onChoose={setQuery} />
        <Caller
          person={person}
          asPerson={asPerson}
          signInHref={signInHref}
          token={token}
          onToken={setToken}
        />
      </div>
      <div className="min-h-0 flex-1">
        <GraphiQL
          fetcher={fetcher}
          query={query}
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

/** In whose name operations run, and the way to another. */
function Caller({
  person,
  asPerson,
  signInHref,
  token,
  onToken,
}: {
  person: ExplorerPerson | undefined
  asPerson: boolean
  signInHref: string
  token: string
  onToken: (token: string) => void
}) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 text-[13px]">
      {asPerson && person && (
        <span className="min-w-0 text-muted">
          Runs as <bdi className="font-medium text-text">{person.name}</bdi>, with everything you may do
        </span>
      )}
      {!person && !token && (
        <span>
          <a href={signInHref} className="text-link underline underline-offset-3">
            Sign in
          </a>{' '}
          to run operations.
        </span>
      )}
      <details className="group">
        <summary className="text-link underline underline-offset-3">
          {token && !asPerson ? 'Runs with your token' : 'Use a token'}
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
            Forgotten when you leave. Make one under <TextLink href="/account/tokens">Tokens</TextLink>.
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
