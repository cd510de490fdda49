import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { mintClientId, mintCredential } from '@/lib/base/credentials/tokens'
import { plainError, redactSecrets } from './plain-error'

const withProperties = (error: Error, properties: object) => Object.assign(error, properties)

describe('an error from PostgreSQL', () => {
  it('is logged with its code, table, and constraint, but without data from a row or a request', () => {
    const error = withProperties(
      new Error('duplicate key value violates unique constraint "users_email_key"'),
      {
        severity: 'ERROR',
        code: '23505',
        detail: 'Key (email)=(ada@example.com) already exists.',
        where: 'COPY users, line 1: "ada"',
        internalQuery: 'SELECT ada',
        parameters: ['ada'],
        constraint: 'users_email_key',
        table: 'users',
      },
    )
    expect(plainError(error, false)).toEqual({
      name: 'Error',
      message: 'duplicate key value violates unique constraint "users_email_key"',
      code: '23505',
      constraint: 'users_email_key',
      table: 'users',
    })
  })

  it('is logged without the invalid input', () => {
    const error = withProperties(new Error('invalid input syntax for type uuid: "hunter2"'), {
      severity: 'ERROR',
      code: '22P02',
    })
    expect(plainError(error, true)).toMatchObject({
      code: '22P02',
      message: 'invalid input syntax for type uuid: "..."',
    })
    expect(JSON.stringify(plainError(error, true))).not.toContain('hunter2')
  })
})

it('plainError keeps the last line of Prisma’s message, without the call and its arguments', () => {
  const error = new Error(
    '\nInvalid `prisma().user.create()` invocation in\n/app/x.ts:1:2\n\n→ 1 create({ data: { name: "hunter2" } })\nUnique constraint failed on the fields: (`email`)',
  )
  error.name = 'PrismaClientKnownRequestError'
  expect(plainError(withProperties(error, { code: 'P2002', meta: { target: 'hunter2' } }), false)).toEqual({
    name: 'PrismaClientKnownRequestError',
    message: 'Unique constraint failed on the fields: (`email`)',
    code: 'P2002',
  })
})

it('plainError contains the names of invalid input fields, but not their values', () => {
  const { error } = z.object({ color: z.enum(['red']), count: z.number() }).safeParse({ color: 'hunter2' })
  const { message } = plainError(error, false)
  expect(message).toBe('color invalid_value, count invalid_type')
})

it('plainError omits the text that could not be parsed as JSON', () => {
  const parse = () => {
    try {
      return JSON.parse('hunter2 {"password":')
    } catch (error) {
      return error
    }
  }
  expect(JSON.stringify(plainError(parse(), true))).not.toContain('hunter2')
})

it('plainError includes nested errors up to a limit, and omits the contents of values that are not errors', () => {
  const below = withProperties(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' })
  const several = withProperties(new Error(''), { errors: [below, new Error('another')] })
  expect(plainError(new Error('fetch failed', { cause: several }), false)).toEqual({
    name: 'Error',
    message: 'fetch failed',
    cause: {
      name: 'Error',
      message: '',
      cause: { name: 'Error', message: below.message, code: 'ECONNREFUSED' },
    },
  })
  const circle: Error = new Error('round')
  circle.cause = circle
  expect(JSON.stringify(plainError(circle, false)).match(/round/g)).toHaveLength(4)
  expect(plainError(new Error('no', { cause: { code: 'hunter2' } }), false)).not.toHaveProperty('cause')
  expect(plainError({ password: 'hunter2' }, false)).toEqual({ name: 'object', message: 'no error' })
  expect(plainError('just words', false)).toEqual({ name: 'string', message: 'just words' })
})

it('plainError can include an error’s stack without its message', () => {
  const { stack = '' } = plainError(new Error('line one\nhunter2 at line two'), true)
  expect(stack).toMatch(/^at .*plain-error\.test\.ts/)
  expect(stack).not.toContain('hunter2')
})

it.each([
  [`code ${mintCredential('authorizationCode')} is spent`, 'code lk_ac_[hidden] is spent'],
  [`lk_pat_tooshort`, 'lk_pat_[hidden]'],
  ['Authorization: Bearer abcdefgh.ijk', 'Authorization: Bearer [hidden]'],
  ['Basic dXNlcjpwYXNzd29yZA==', 'Basic [hidden]'],
  ['token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'token [hidden]'],
  [
    'connect postgresql://latchkey:hunter2@db:5432/latchkey',
    'connect postgresql://[hidden]@db:5432/latchkey',
  ],
  [
    'GET https://idp.example/callback?code=abc&state=x failed',
    'GET https://idp.example/callback?[hidden] failed',
  ],
  ['back at https://app.example/#access_token=abc', 'back at https://app.example/?[hidden]'],
  ['no such box: ada.lovelace+x@example.com', 'no such box: [hidden]'],
  ['<Åda@exämple.org>', '<[hidden]>'],
  ['key 4f1c9a0be77d4f1c9a0be77d4f1c9a0b', 'key [hidden]'],
  ['secret QmFzZTY0VGV4dE9mMzJCeXRlcw', 'secret [hidden]'],
])('redactSecrets removes secrets and personal data from %j', (text, shown) =>
  expect(redactSecrets(text)).toBe(shown),
)

it.each([
  `client ${mintClientId()} is unknown`,
  'id 018f3b0a-7c1e-7aaa-9c3b-0123456789ab',
  'prepared statement oauth-token-snapshot-by-hash does not exist',
  'at /app/node_modules/@prisma/client/runtime/client.js:10:20',
  'migration 20261122060000_deliveries_are_queued_at_once',
  'connect ECONNREFUSED 127.0.0.1:5432',
  'Is the address right? Try again.',
])('redactSecrets keeps %j', (text) => expect(redactSecrets(text)).toBe(text))
