import { describe, expect, it } from 'vitest'
import { AppError } from '@/lib/base/errors/app-error'
import { toUserError } from './answers'

describe('toUserError', () => {
  it('returns an AppError unchanged', () => {
    const refused = new AppError('CONFLICT', 'Taken.')
    expect(toUserError(refused)).toBe(refused)
  })

  it.each(['P2003', 'P2025', '23503'])('returns NOT_FOUND for the database error %s', (code) => {
    const gone = toUserError(Object.assign(new Error('insert failed'), { code }))
    expect([gone.code, gone.message]).toEqual(['NOT_FOUND', expect.stringContaining('was deleted')])
  })

  it('rethrows an error that is neither an AppError nor a known database error', () => {
    const defect = new TypeError('x is undefined')
    expect(() => toUserError(defect)).toThrow(defect)
  })
})
