import { Fragment, isValidElement, type ReactElement, type ReactNode } from 'react'
import { CodeBlock } from '@/components/docs/code-block'

/**
 * An HTML element of a docs page with its children. A code block is a `pre` element with the properties of
 * `CodeBlock`.
 */
export type PlainElement = { type: string; props: Record<string, unknown>; children: Plain[] }
export type Plain = string | PlainElement

/**
 * Returns the content of a docs page for conversion to text. Calls the components directly, which is possible
 * because they use no hooks. Icons remain in the result as `svg` elements without text. Possible line breaks
 * are omitted.
 */
export function plainTree(node: ReactNode): Plain[] {
  if (typeof node === 'string' || typeof node === 'number') return [String(node)]
  if (Array.isArray(node)) return node.flatMap(plainTree)
  if (!isValidElement(node)) return []
  const { type, props } = node as ReactElement<{ children?: ReactNode; code?: string }>
  // Use the original code, because `CodeBlock` renders highlighted HTML.
  if (type === CodeBlock) return [{ type: 'pre', props, children: [String(props.code).trimEnd()] }]
  if (typeof type === 'function') return plainTree((type as (given: typeof props) => ReactNode)(props))
  if ((type as unknown) === Fragment) return plainTree(props.children)
  if (type === 'wbr') return []
  return typeof type === 'string' ? [{ type, props, children: plainTree(props.children) }] : []
}

/** Returns the text of the nodes, without the elements around it. */
export const plainText = (nodes: Plain[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : plainText(node.children))).join('')
