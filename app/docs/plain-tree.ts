import { Fragment, isValidElement, type ReactElement, type ReactNode } from 'react'
import { CodeBlock } from '@/components/docs/code-block'

/** An element of HTML as a page of the docs has it, with what it holds. A block of code is a `pre` with the properties it was given. */
export type PlainElement = { type: string; props: Record<string, unknown>; children: Plain[] }
export type Plain = string | PlainElement

/**
 * What a page of the docs comes to, for whoever reads it rather than shows it. Its components are called as they stand: they are
 * functions of their props without hooks. Icons are left out.
 */
export function plainTree(node: ReactNode): Plain[] {
  if (typeof node === 'string' || typeof node === 'number') return [String(node)]
  if (Array.isArray(node)) return node.flatMap(plainTree)
  if (!isValidElement(node)) return []
  const { type, props } = node as ReactElement<{ children?: ReactNode; code?: string }>
  // As it is drawn it is coloured.
  if (type === CodeBlock) return [{ type: 'pre', props, children: [String(props.code).trimEnd()] }]
  if (typeof type === 'function') return plainTree((type as (given: typeof props) => ReactNode)(props))
  if ((type as unknown) === Fragment) return plainTree(props.children)
  return typeof type === 'string' ? [{ type, props, children: plainTree(props.children) }] : []
}

/** The words of an element. */
export const wordsOf = (nodes: Plain[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : wordsOf(node.children))).join('')
