import { GraphQLError } from 'graphql'
import { expect, it } from 'vitest'
import { OutboundError } from '@/lib/base/outbound/check-url'
import { isOutage } from './database-errors'

const coded = (code: string) => Object.assign(new Error('x'), { code })

it.each([
  ['nothing listens', coded('ECONNREFUSED')],
  ['the name is unknown', coded('ENOTFOUND')],
  ['the server stops', coded('57P01')],
  ['no connection is left', coded('53300')],
  ['the disk is full', coded('53100')],
  ['a statement took too long', coded('57014')],
  ['the server turned out to be a standby', coded('25006')],
  ['the driver lost the connection', new Error('Connection terminated unexpectedly')],
  ['no connection was available in time', new Error('timeout exceeded when trying to connect')],
  ['Prisma cannot reach the database', coded('P1001')],
  [
    'Prisma wraps the driver adapter’s error for a raw query',
    Object.assign(coded('P2010'), {
      meta: { driverAdapterError: { cause: { kind: 'DatabaseNotReachable' } } },
    }),
  ],
  [
    'Prisma reports that Citus lost a worker',
    Object.assign(
      new Error(
        'Database error. Code: `XX000`. Message: `failure on connection marked as essential: db-1:5432`',
      ),
      { code: 'P2039' },
    ),
  ],
  [
    'a resolver failed because the connection was lost',
    new GraphQLError('x', { originalError: coded('08006') }),
  ],
])('isOutage returns true if %s', (_, error) => expect(isOutage(error)).toBe(true))

it.each([
  ['a programming error', new TypeError('x is undefined')],
  ['a unique violation', coded('23505')],
  ['a missing column', coded('42703')],
  ['a deleted record', coded('P2025')],
  ['an undefined error', undefined],
  ['a client that dropped its request', Object.assign(new Error('aborted'), { code: 'ECONNRESET' })],
  [
    'an app’s address that oidc-provider could not reach',
    new Error('fetch of a document failed', {
      cause: new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }),
    }),
  ],
  [
    'an address that a user entered',
    new OutboundError('network', 'The address could not be reached.', { cause: coded('ENOTFOUND') }),
  ],
])('isOutage returns false for %s', (_, error) => expect(isOutage(error)).toBe(false))

it('isOutage returns false for an error that is its own cause', () => {
  const error = new Error('x')
  error.cause = error
  expect(isOutage(error)).toBe(false)
})
