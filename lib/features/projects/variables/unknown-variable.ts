import { AppError } from '@/lib/base/errors/app-error'

/** The environment has no variable of that name. */
export const unknownVariable = (name: string) =>
  new AppError('NOT_FOUND', 'There is no such variable.', { resource: { type: 'variable', id: name } })
