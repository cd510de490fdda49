import type { Schema } from '../types'

/** The small words that the other schemas are made of. */

export const text = (description: string, more: Schema = {}): Schema => ({
  type: 'string',
  description,
  ...more,
})

export const uri = (description: string): Schema => text(description, { format: 'uri' })

export const seconds = (description: string, more: Schema = {}): Schema => ({
  type: 'integer',
  minimum: 0,
  description,
  ...more,
})

export const list = (description: string, items: Schema = { type: 'string' }): Schema => ({
  type: 'array',
  description,
  items,
})

/** A reference to one of the document's named schemas. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
