import { isValidElement, type ReactElement, type ReactNode } from 'react'

/** A piece of a page that has an address of its own: below a heading, or an entry of a list or table. */
export type Section = { id?: string; heading: string; text: string }

type Props = { id?: string; children?: ReactNode }

/** Entries that can be linked to, such as one error. */
const entries = new Set<unknown>(['div', 'tr'])

/** Elements between which words do not run together. */
const inline = new Set<unknown>(['a', 'code', 'strong', 'bdi'])

/**
 * What a page of the docs says, section by section. Its components are called as they stand: they are functions of their
 * props without hooks. Code blocks are left out.
 * @param page a DocsArticle, or what draws one
 */
export function sectionsOf(page: ReactElement): Section[] {
  const sections: Section[] = [{ heading: '', text: '' }]
  let current = sections[0] as Section
  const begin = (id: string, heading: string) => {
    current = { id, heading, text: '' }
    sections.push(current)
  }
  const walk = (node: ReactNode): void => {
    if (typeof node === 'string' || typeof node === 'number') current.text += node
    else if (Array.isArray(node)) for (const each of node) walk(each)
    else if (isValidElement(node)) walkElement(node as ReactElement<Props>)
  }
  const walkElement = ({ type, props }: ReactElement<Props>): void => {
    if (typeof type === 'function') {
      walk((type as (props: Props) => ReactNode)(props))
      return
    }
    if (type === 'figure' || type === 'nav' || type === 'h1') return
    const { id, children } = props
    if (type === 'h2' && id) {
      begin(id, textOf(children))
      return
    }
    const above = current
    if (id && entries.has(type)) begin(id, type === 'tr' ? textOf([children].flat()[0]) : id)
    walk(children)
    if (!inline.has(type)) current.text += ' '
    if (id && entries.has(type)) current = above
  }
  walk(page)
  return sections.map((each) => ({ ...each, text: each.text.replace(/\s+/g, ' ').trim() }))
}

/** The words of a heading. */
function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(textOf).join('')
  if (!isValidElement(node)) return ''
  const { type, props } = node as ReactElement<Props>
  if (typeof type === 'function') return textOf((type as (props: Props) => ReactNode)(props))
  return textOf(props.children)
}
