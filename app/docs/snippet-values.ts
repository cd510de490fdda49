import { config } from '@/lib/config/env'
import { placeholders, type SnippetValues } from '@/lib/docs/snippets/values'

/** What snippets on pages for everyone are filled with: this service's address, placeholders for the rest. */
export const readSnippetValues = (): SnippetValues => ({ ...placeholders, baseUrl: config().BASE_URL })
