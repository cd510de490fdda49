'use client'

import { createGraphiQLFetcher } from '@graphiql/toolkit'
import { GraphiQL } from 'graphiql'
import 'graphiql/style.css'
import './narrow-explorer.css'
import { useMemo, useState } from 'react'
import { Field } from '../ui/field'
import { Input } from '../ui/input'
import { TextLink } from '../ui/text-link'

const endpoint = '/graphql/v2'

const welcome = `# Ctrl-Space completes, Ctrl-Enter runs. The schema can be read without a token.
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
 * GraphiQL over the product's own endpoint. The token is kept in this tab's memory alone: it is neither stored nor part of
 * any address, and no cookie stands in for it.
 * @param tokensHref where a token is made
 */
export default function GraphqlExplorer({ tokensHref }: { tokensHref: string }) {
  const [token, setToken] = useState('')
  const fetcher = useMemo(
    () =>
      createGraphiQLFetcher({
        url: endpoint,
        headers: token ? { authorization: `Bearer ${token.trim()}` } : {},
      }),
    [token],
  )
  return (
    <div className="flex h-full flex-col">
      <form className="border-border border-b px-4 py-3" onSubmit={(event) => event.preventDefault()}>
        <Field
          label="Token"
          hint={
            <>
              Sent with every operation, and forgotten when you leave. Make one under{' '}
              <TextLink href={tokensHref}>Tokens</TextLink>.
            </>
          }
        >
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="off"
              spellCheck={false}
              value={token}
              onChange={(event) => setToken(event.target.value)}
              placeholder="lk_pat_…"
            />
          )}
        </Field>
      </form>
      <div className="min-h-0 flex-1">
        <GraphiQL
          fetcher={fetcher}
          defaultQuery={welcome}
          isHeadersEditorEnabled={false}
          shouldPersistHeaders={false}
        />
      </div>
    </div>
  )
}
