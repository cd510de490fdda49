import type { ReadDocs } from '@/lib/edges/mcp/resources'

/** A page of the docs as Markdown; texts and the reference are loaded when somebody reads the first. */
export const readDocs: ReadDocs = async (path) => (await import('./answer-markdown')).docsAsMarkdown(path)
