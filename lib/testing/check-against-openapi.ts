import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describeApi } from '@/lib/features/docs/openapi/document'
import type { Response as Described, Operation, PathItem } from '@/lib/features/docs/openapi/types'

export type RecordedAnswer = {
  method: string
  /** The request's path, which can include the query. */
  path: string
  status: number
  headers: Headers
  body: string
}

const document = describeApi({ name: 'Latchkey', baseUrl: 'http://127.0.0.1' })

const ajv = addFormats
  .default(new Ajv2020({ strict: false, allErrors: true }))
  .addSchema(JSON.parse(JSON.stringify(document)), 'openapi')

/** Matches pages for users, which the OpenAPI document omits. */
const undescribed = [/^\/oauth\/device(\/(?!auth$)|$)/, /^\/oauth\/session\/end\/\w+/]

/**
 * Matches endpoints for programs. Their responses must be described, except those that `checkAgainstOpenApi`
 * skips.
 */
const described = /^\/(oauth|graphql|\.well-known|healthz|readyz|openapi\.json|audit-log)(\/|$)/

/**
 * Checks a response against the OpenAPI document. Skips pages for users, OPTIONS and HEAD requests, and
 * responses that reject an unknown endpoint.
 * @throws Error that names the part that is undescribed or wrong: operation, status, content type, header, or
 * body
 */
export function checkAgainstOpenApi(answer: RecordedAnswer): void {
  const method = answer.method.toUpperCase()
  const path = answer.path.replace(/[?#].*$/s, '')
  // Skip OPTIONS and HEAD, which the document does not describe: the Fetch standard defines CORS preflight
  // requests, and HEAD is GET without a body.
  if (method === 'OPTIONS' || method === 'HEAD') return
  if (!described.test(path) || undescribed.some((pattern) => pattern.test(path))) return

  const template = templateOf(path)
  const operation = template && document.paths[template]?.[method.toLowerCase() as keyof PathItem]
  if (!template || !operation) {
    // Responses that reject an unknown endpoint do not have to be described.
    if ([400, 404, 405].includes(answer.status)) return
    throw new Error(`${method} ${path} returned ${answer.status}, but is not in the OpenAPI document`)
  }
  checkAnswer(answer, operation, `${method} ${template} ${answer.status}`)
}

function checkAnswer(answer: RecordedAnswer, operation: Operation, where: string): void {
  const expected = operation.responses[answer.status]
  if (!expected) throw new Error(`${where} is not described; the body was ${excerpt(answer.body)}`)
  for (const [name, header] of Object.entries(expected.headers ?? {})) {
    const value = answer.headers.get(name)
    if (value === null && header.required) throw new Error(`${where} lacks the header ${name}`)
    if (value !== null) validate(ajv.compile(header.schema), value, `${where} header ${name}`)
  }
  checkBody(answer, expected, where)
}

function checkBody(answer: RecordedAnswer, expected: Described, where: string): void {
  if (answer.body === '' || !expected.content) return
  const type = answer.headers.get('content-type')?.split(';')[0]?.trim() ?? ''
  if (!expected.content[type])
    throw new Error(`${where} has the content type "${type}", which is not described`)
  if (/[/+]json$/.test(type)) {
    const pointer = [
      ...['paths', templateOf(answer.path.replace(/[?#].*$/s, '')) ?? '', answer.method.toLowerCase()],
      ...['responses', String(answer.status), 'content', type, 'schema'],
    ]
    validate(schemaAt(pointer), JSON.parse(answer.body), `${where} body`)
  }
}

const schemaAt = (pointer: string[]): ValidateFunction => {
  const path = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
  const schema = ajv.getSchema(`openapi#/${path.join('/')}`)
  if (!schema) throw new Error(`no schema at ${pointer.join(' > ')}`)
  return schema
}

function validate(schema: ValidateFunction, value: unknown, where: string): void {
  if (schema(value)) return
  const problems = ajv.errorsText(schema.errors, { dataVar: '' })
  throw new Error(
    `${where} does not match the OpenAPI document: ${problems}\n${excerpt(JSON.stringify(value))}`,
  )
}

const excerpt = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}...` : text)

/**
 * Returns the document's path that matches a request's path, or undefined if none does. A path without
 * parameters takes precedence.
 */
const templateOf = (path: string): string | undefined =>
  path in document.paths
    ? path
    : Object.keys(document.paths).find((template) =>
        new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
      )
