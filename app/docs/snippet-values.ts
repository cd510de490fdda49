import { config } from '@/lib/base/config/env'
import { placeholders, type SnippetValues } from '@/lib/features/docs/snippets/values'

/** What snippets on pages for everyone are filled with: this service's address, placeholders for the rest. */
export const readSnippetValues = (): SnippetValues => ({ ...placeholders, baseUrl: config().BASE_URL })
