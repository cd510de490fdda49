import { type ErrorCode, errorCodes } from './codes'

/** Facts for the caller beside the message; everything in here may be shown. */
export type ErrorDetails = {
  /** The input field that is wrong, for BAD_USER_INPUT and CONFLICT. */
  field?: string
  /** Further messages by field, when several are wrong at once. */
  fields?: Record<string, string>
  /** Where in the field it is, where that holds several values: `['variables', 2, 'name']`. */
  at?: (string | number)[]
  /** The scope that would allow it, for INSUFFICIENT_SCOPE. */
  requiredScope?: string
  /** The role that would allow it, for FORBIDDEN where a role is what is missing. */
  requiredRole?: 'ADMIN' | 'MEMBER' | 'VIEWER'
  /** The role that the caller has here, and that is too low: the person's, or the token's. */
  role?: 'ADMIN' | 'MEMBER' | 'VIEWER'
  /** What was not shared or not found: its type and id as the caller named it. */
  resource?: { type: string; id: string }
  /** What it is that the person has to be asked about, in which workspace, and the page where they say yes or no, for APPROVAL_REQUIRED. */
  permission?: string
  workspaceId?: string
  approvalUrl?: string
  /** The name that it shall have, where the person is asked about that. */
  wanted?: string
  /** Why a workspace keeps an app out, for APP_NOT_APPROVED; `denied` when the person said no, for FORBIDDEN. */
  reason?: string
  /** Seconds until another try makes sense, for RATE_LIMITED and SERVICE_UNAVAILABLE. */
  retryAfter?: number
}

/** The seconds after which to try again while the database is away: time for a failover, and no rush afterwards. */
export const outageRetrySeconds = 5

/**
 * The one error that the domain throws for anything a caller can mend or must be told.
 * Its message is fit for the person; anything else thrown is a defect and is masked at the edges.
 */
export class AppError extends Error {
  override name = 'AppError'
  constructor(
    readonly code: ErrorCode,
    message: string = errorCodes[code].message,
    readonly details: ErrorDetails = {},
  ) {
    super(message)
  }
}

/** Tells an AppError by its name, because Next bundles this class a second time. */
export const isAppError = (error: unknown): error is AppError =>
  error instanceof Error && error.name === 'AppError' && (error as AppError).code in errorCodes

/** BAD_USER_INPUT for one field. @param field the name of the input as the caller knows it */
export const badInput = (field: string, message: string) =>
  new AppError('BAD_USER_INPUT', message, { field, fields: { [field]: message } })
