import { createElement } from 'react'
import { expect, it } from 'vitest'
import { schemaText } from '@/lib/edges/graphql/reference/reference'
import { docsPages } from './pages'
import { type Plain, plainText, plainTree } from './plain-tree'

/** Names that are not in the GraphQL schema: fields of errors, and a setting of Gradle. */
const others = new Set([
  ...['approvalUrl', 'requireTwoFactor', 'requiredRole', 'requiredScope', 'retryAfter'],
  'appAuthRedirectScheme',
])

const codeIn = (nodes: Plain[]): string[] =>
  nodes.flatMap((node) => {
    if (typeof node === 'string') return []
    return node.type === 'code' ? [plainText(node.children)] : codeIn(node.children)
  })

const inSchema = new Set(schemaText().match(/(?<=^ *)\w+(?=[(:])/gm))

const namesIn = (page: unknown): string[] =>
  codeIn(plainTree(createElement(page as () => never))).filter((text) =>
    /^[a-z]+(?:[A-Z][a-z]*)+$/.test(text),
  )

it.each(Object.entries(docsPages))('names only operations and fields that exist: %s', (_, page) => {
  expect(namesIn(page).filter((name) => !inSchema.has(name) && !others.has(name))).toEqual([])
})

it('finds the names of operations and fields in the docs', () => {
  const names = new Set(Object.values(docsPages).flatMap(namesIn))
  expect([...names].filter((name) => inSchema.has(name)).length).toBeGreaterThan(10)
})
