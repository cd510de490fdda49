import { describe, expect, it } from 'vitest'
import { authMessage } from '@/components/auth/messages'
import { AppError, badInput } from '@/lib/errors/app-error'
import { credentialsFormError } from '@/lib/web/credentials-form-error'

describe('what the forms at the door say', () => {
  it.each([
    [new AppError('UNAUTHENTICATED'), {}, undefined],
    [new AppError('RATE_LIMITED'), {}, undefined],
    [new AppError('FORBIDDEN'), {}, undefined],
    [new AppError('CONFLICT', 'taken', { field: 'email' }), {}, 'email'],
    [badInput('name', ''), { name: ' ' }, 'name'],
    [badInput('name', ''), { name: 'x'.repeat(99) }, 'name'],
    [badInput('email', ''), {}, 'email'],
    [badInput('email', ''), { email: 'nobody' }, 'email'],
    [badInput('password', ''), { password: 'short' }, 'password'],
    [badInput('password', ''), { password: 'x'.repeat(300) }, 'password'],
  ])('has words for %s with %j, at the right place', (error, typed, field) => {
    const message = authMessage(credentialsFormError(error, typed))
    expect(message?.text).toMatch(/\.$/)
    expect(message?.field).toBe(field)
  })
})
