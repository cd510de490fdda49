import type { ReactElement } from 'react'
import { languageOf } from '@/components/docs/code-block'
import { type Plain, type PlainElement, plainTree } from '../plain-tree'

/** The elements to omit, because they contain no text or only text that Markdown readers do not need. */
const skipped = new Set(['nav', 'script', 'svg', 'button', 'input', 'caption'])

/** Inline content. */
const inline = new Set(['a', 'code', 'strong', 'em', 'bdi', 'span', 'img'])

/**
 * Converts a docs page to Markdown (CommonMark with GitHub's tables), so that the text has a single source.
 * See ADR 0001.
 * @param page a DocsArticle, or a component that renders one
 * @param linkTo returns the absolute URL of a path on this server
 */
export function markdownOf(page: ReactElement, linkTo: (path: string) => string): string {
  const line = (nodes: Plain[]): string => nodes.map(inLine).join('').replace(/\s+/g, ' ').trim()

  const inLine = (node: Plain): string => {
    if (typeof node === 'string') return node
    const { type, props, children } = node
    if (skipped.has(type)) return ''
    if (type === 'code') return `\`${line(children)}\``
    if (type === 'strong') return `**${line(children)}**`
    if (type === 'em') return `_${line(children)}_`
    if (type === 'img') return `![${props.alt ?? ''}](${linkTo(String(props.src))})`
    if (type === 'a') return link(String(props.href), line(children))
    return inline.has(type) && type !== 'span' ? line(children) : ` ${line(children)} `
  }

  const link = (href: string, words: string): string =>
    href.startsWith('#') ? words : `[${words}](${href.startsWith('/') ? linkTo(href) : href})`

  const blocksOf = (nodes: Plain[]): string[] => {
    const blocks: string[] = []
    let words: Plain[] = []
    const end = () => {
      const text = line(words)
      if (text) blocks.push(text)
      words = []
    }
    for (const node of nodes) {
      if (typeof node === 'string' || inline.has(node.type)) words.push(node)
      else if (!skipped.has(node.type)) {
        end()
        blocks.push(...blockOf(node))
      }
    }
    end()
    return blocks
  }

  const blockOf = (node: PlainElement): string[] => {
    const { type, props, children } = node
    const heading = /^h([1-6])$/.exec(type)
    if (heading) return [`${'#'.repeat(Number(heading[1]))} ${line(children)}`]
    if (type === 'p') return [line(children)].filter(Boolean)
    if (type === 'pre') return code(String(props.title), children.join(''))
    if (type === 'ul' || type === 'ol' || type === 'dl') return [list(node)]
    if (type === 'table') return [table(node)]
    const [first, ...rest] = blocksOf(children)
    // A `div` with an ID is an entry, such as an error. Its first block becomes a heading.
    return first === undefined ? [] : [props.id && type === 'div' ? `### ${first}` : first, ...rest]
  }

  const code = (title: string, text: string): string[] => [
    `${title}:`,
    `\`\`\`${languageOf(title, text) ?? ''}\n${text}\n\`\`\``,
  ]

  const list = ({ type, children }: PlainElement): string =>
    children
      .filter((each): each is PlainElement => typeof each !== 'string')
      .map((item, index) => {
        const marker = type === 'ol' ? `${index + 1}. ` : '- '
        const text = type === 'dl' ? definition(item) : blocksOf(item.children).join('\n\n')
        return marker + text.replace(/\n(?=.)/g, `\n${' '.repeat(marker.length)}`)
      })
      .join('\n')

  /**
   * Returns a term and its definition, which share a `div`, as one line. The first word is formatted as code.
   */
  const definition = ({ children }: PlainElement): string => line(children).replace(/^(\S+) /, '`$1` ')

  const table = (node: PlainElement): string => {
    const [head = [], ...rows] = textWithin(node, 'tr').map(({ children }) =>
      children.map((cell) => (typeof cell === 'string' ? cell : line(cell.children)).replaceAll('|', '\\|')),
    )
    const row = (cells: string[]) => `| ${cells.join(' | ')} |`
    return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
  }

  return `${blocksOf(plainTree(page)).join('\n\n')}\n`
}

const textWithin = ({ children }: PlainElement, type: string): PlainElement[] =>
  children.flatMap((each) =>
    typeof each === 'string' ? [] : each.type === type ? [each] : textWithin(each, type),
  )
