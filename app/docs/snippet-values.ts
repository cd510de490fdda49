import { config } from '@/lib/base/config/env'
import { placeholders, type SnippetValues } from '@/lib/features/docs/snippets/values'

/**
 * Returns the values for the snippets on public pages: this instance's URL, and placeholders for all other
 * values.
 */
export const readSnippetValues = (): SnippetValues => ({ ...placeholders, baseUrl: config().BASE_URL })
