import type { ReadDocs } from '@/lib/edges/mcp/resources'

/**
 * Returns a docs page as Markdown, or undefined if there is no such page. The texts and the reference are
 * loaded on first use.
 */
export const readDocs: ReadDocs = async (path) => (await import('./answer-markdown')).docsAsMarkdown(path)
