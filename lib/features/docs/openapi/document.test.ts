import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '@/lib/base/errors/codes'
import { allScopes } from '@/lib/policy/scopes'
import { describeApi } from './document'
import type { Operation } from './types'

const document = describeApi({ name: 'Latchkey', baseUrl: 'https://login.example.com' })
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation: operation as Operation })),
)

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const result = await validator.validate(JSON.parse(JSON.stringify(document)))
    expect(result).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('has version 2.0.0 and contains the URL of this server', () => {
    expect(document.info.version).toBe('2.0.0')
    expect(document.servers).toEqual([{ url: 'https://login.example.com' }])
  })

  it('contains the main endpoints of the contract', () => {
    expect(operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`)).toEqual(
      expect.arrayContaining([
        'POST /graphql/v2',
        'POST /mcp',
        'GET /oauth/.well-known/openid-configuration',
        'GET /oauth/auth',
        'POST /oauth/token',
        'POST /oauth/register',
        'POST /oauth/device/auth',
        'GET /oauth/me',
        'POST /oauth/request',
      ]),
    )
  })

  it('references only existing schemas and security schemes', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      (m) => m[1],
    )
    expect(refs.length).toBeGreaterThan(20)
    for (const name of refs) expect(Object.keys(document.components.schemas)).toContain(name)
    const schemes = operations.flatMap(({ operation }) => (operation.security ?? []).flatMap(Object.keys))
    for (const name of schemes) expect(Object.keys(document.components.securitySchemes)).toContain(name)
  })

  it('contains a unique ID and all path parameters for each operation', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, operation } of operations) {
      const declared = (operation.parameters ?? []).filter((p) => p.in === 'path').map((p) => p.name)
      expect(declared).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]))
    }
  })

  it('lists every scope and every error code', () => {
    const text = JSON.stringify(document)
    for (const scope of allScopes) expect(text).toContain(`"${scope}"`)
    for (const code of Object.keys(errorCodes)) expect(text).toContain(`"${code}"`)
  })
})
