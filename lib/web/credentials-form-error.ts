import type { AppError } from '@/lib/errors/app-error'

/** The code by which the pages at the door say what was refused (components/auth/messages); only it travels in the URL. */
export function credentialsFormError(error: AppError, typed: Record<string, string>): string {
  if (error.code === 'CONFLICT') return 'email_taken'
  if (error.code === 'RATE_LIMITED') return 'too_many'
  if (error.code === 'FORBIDDEN') return 'provider'
  const value = typed[error.details.field ?? '']?.trim() ?? ''
  switch (error.details.field) {
    case 'name':
      return value === '' ? 'name_missing' : 'name_long'
    case 'email':
      return value === '' ? 'email_missing' : 'email_invalid'
    case 'password':
      return value.length < 10 ? 'password_short' : 'password_long'
    default:
      return 'credentials'
  }
}
