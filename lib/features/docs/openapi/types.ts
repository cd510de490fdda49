/**
 * The parts of OpenAPI 3.1 that the document uses. document.test.ts validates the document against the
 * standard.
 */

/** A JSON Schema (2020-12) or a reference to a named schema. */
export type Schema = { readonly [keyword: string]: unknown }

export type MediaTypes = Record<string, { schema: Schema; example?: unknown }>

export type Header = { description: string; required?: boolean; schema: Schema }

export type Response = {
  description: string
  headers?: Record<string, Header>
  content?: MediaTypes
}

export type Parameter = {
  name: string
  in: 'query' | 'header' | 'path'
  description: string
  required?: boolean
  schema: Schema
}

export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  /** The authentication alternatives. If one alternative is `{}`, authentication is optional. */
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; description?: string; content: MediaTypes }
  responses: Record<string, Response>
}

export type PathItem = Partial<Record<'get' | 'post' | 'put' | 'delete', Operation>>

export type OpenApiDocument = {
  openapi: string
  info: {
    title: string
    version: string
    summary: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, Schema> }
  security: Record<string, string[]>[]
}

/** Functions that return the basic schemas from which other schemas are composed. */

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

/** Returns a reference to one of the document's named schemas. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
