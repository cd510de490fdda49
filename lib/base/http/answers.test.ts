import { describe, expect, it } from 'vitest'
import { AppError } from '@/lib/base/errors/app-error'
import { refusalOf } from './answers'

describe('what a person is told of an error', () => {
  it('is what the domain refused', () => {
    const refused = new AppError('CONFLICT', 'Taken.')
    expect(refusalOf(refused)).toBe(refused)
  })

  it.each(['P2003', 'P2025', '23503'])('is that the row is gone, for %s of the database', (code) => {
    const gone = refusalOf(Object.assign(new Error('insert failed'), { code }))
    expect([gone.code, gone.message]).toEqual(['NOT_FOUND', expect.stringContaining('was deleted')])
  })

  it('is nothing of a defect, which goes on as it came', () => {
    const defect = new TypeError('x is undefined')
    expect(() => refusalOf(defect)).toThrow(defect)
  })
})
