import type { ReactElement } from 'react'
import { type Plain, type PlainElement, plainText, plainTree } from '../plain-tree'

/**
 * A part of a page that has its own URL: a section, or an entry of a list or table. `id` is undefined for the
 * text before the first section.
 */
export type Section = { id?: string; heading: string; text: string }

/**
 * The types of elements that count as entries if they have an ID. For example, the explanation of an error is
 * such an element.
 */
const entries = new Set(['div', 'tr'])

/** Inline elements, which do not separate words. */
const inline = new Set(['a', 'code', 'strong', 'em', 'bdi', 'svg'])

const skipped = new Set(['pre', 'nav', 'h1', 'caption', 'thead'])

/** Separates blocks of text, such as paragraphs and table cells, until `joined` joins them. */
const boundary = '\n'

/**
 * Returns the text of a docs page by section, without code blocks, navigation, the page's title, and the
 * headings of tables. Entries in a `<details>` element are part of the text of their section, because some
 * browsers do not open the element when a link leads to an entry in it.
 * @param page a DocsArticle, or a component that renders one
 */
export function sectionsOf(page: ReactElement): Section[] {
  const sections: Section[] = [{ heading: '', text: '' }]
  let current = sections[0] as Section
  const begin = (id: string, heading: string) => {
    current = { id, heading, text: '' }
    sections.push(current)
  }
  const walk = (node: Plain, folded: boolean): void => {
    if (typeof node === 'string') current.text += node.replace(/\s+/g, ' ')
    else if (!skipped.has(node.type)) walkElement(node, folded || node.type === 'details')
  }
  const walkElement = ({ type, props: { id }, children }: PlainElement, folded: boolean): void => {
    if (type === 'h2' && typeof id === 'string') {
      begin(id, plainText(children))
      return
    }
    const above = current
    const entry = !folded && typeof id === 'string' && entries.has(type) ? id : undefined
    if (entry) begin(entry, type === 'tr' ? plainText(children.slice(0, 1)) : entry)
    const edge = inline.has(type) ? '' : boundary
    current.text += edge
    for (const each of children) walk(each, folded)
    current.text += edge
    if (entry) current = above
  }
  for (const each of plainTree(page)) walk(each, false)
  return sections.map((each) => ({ ...each, text: joined(each) }))
}

/**
 * Returns the text of a section in one line. A middle dot follows a block that does not end with punctuation.
 * A first block that repeats the heading is omitted.
 */
function joined({ heading, text }: Section): string {
  const blocks = text
    .split(boundary)
    .map((each) => each.trim())
    .filter(Boolean)
  if (blocks[0] === heading.trim()) blocks.shift()
  return blocks.map((each, at) => (at === 0 ? '' : separator(blocks[at - 1] as string)) + each).join('')
}

const separator = (before: string) => (/[.:,;?]$/.test(before) ? ' ' : ' · ')
