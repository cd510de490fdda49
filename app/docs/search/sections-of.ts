import type { ReactElement } from 'react'
import { type Plain, type PlainElement, plainText, plainTree } from '../plain-tree'

/**
 * A part of a page that has its own URL: a section, or an entry of a list or table. `id` is undefined for the text before the
 * first section.
 */
export type Section = { id?: string; heading: string; text: string }

/**
 * The types of elements that count as entries if they have an ID. For example, the explanation of an error is such an
 * element.
 */
const entries = new Set(['div', 'tr'])

/** Inline elements, which do not separate words. */
const inline = new Set(['a', 'code', 'strong', 'em', 'bdi'])

const skipped = new Set(['pre', 'nav', 'h1'])

/**
 * Returns the text of a docs page by section, without code blocks, navigation, and the page's title.
 * @param page a DocsArticle, or a component that renders one
 */
export function sectionsOf(page: ReactElement): Section[] {
  const sections: Section[] = [{ heading: '', text: '' }]
  let current = sections[0] as Section
  const begin = (id: string, heading: string) => {
    current = { id, heading, text: '' }
    sections.push(current)
  }
  const walk = (node: Plain): void => {
    if (typeof node === 'string') current.text += node
    else if (!skipped.has(node.type)) walkElement(node)
  }
  const walkElement = ({ type, props: { id }, children }: PlainElement): void => {
    if (type === 'h2' && typeof id === 'string') {
      begin(id, plainText(children))
      return
    }
    const above = current
    const entry = typeof id === 'string' && entries.has(type) ? id : undefined
    if (entry) begin(entry, type === 'tr' ? plainText(children.slice(0, 1)) : entry)
    for (const each of children) walk(each)
    if (!inline.has(type)) current.text += ' '
    if (entry) current = above
  }
  for (const each of plainTree(page)) walk(each)
  return sections.map((each) => ({ ...each, text: each.text.replace(/\s+/g, ' ').trim() }))
}
