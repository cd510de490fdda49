import { createElement, type ReactElement } from 'react'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { typePage } from './graphql/[type]/type-page'
import { type DocsProps, docsPages } from './pages'
import { nounPage } from './reference/[noun]/noun-page'

const titles = new Map(
  docsNavigation.flatMap(({ pages }) => pages.map(({ href, title }) => [href, title] as const)),
)

/** Returns the docs page at a path, without its frame, or undefined if there is no such page. */
export function pageAt(
  path: string,
  props: DocsProps = {},
): { title: string; page: ReactElement } | undefined {
  const title = titles.get(path)
  if (title !== undefined)
    return { title, page: createElement(docsPages[path] as (props: DocsProps) => ReactElement, props) }
  const [, kind, name] = /^\/docs\/(graphql|reference)\/([\w-]+)$/.exec(path) ?? []
  if (name === undefined) return undefined
  return kind === 'graphql' ? typePage(name) : nounPage(name)
}
