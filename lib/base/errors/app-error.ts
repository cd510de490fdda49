import { type ErrorCode, errorCodes } from './codes'

/** Public details of an error, in addition to the message. */
export type ErrorDetails = {
  /** The invalid input field, for BAD_USER_INPUT and CONFLICT. */
  field?: string
  /** The messages by field, if several fields are invalid. */
  fields?: Record<string, string>
  /** The position of the invalid value in a field with several values, such as `['variables', 2, 'name']`. */
  at?: (string | number)[]
  /** The missing scope, for INSUFFICIENT_SCOPE. */
  requiredScope?: string
  /** The required role, for FORBIDDEN if the caller's role is too low. */
  requiredRole?: 'ADMIN' | 'MEMBER' | 'VIEWER'
  /**
   * The caller's current role on the resource, which is too low. This is the user's role or, if only the token's role is too
   * low, the token's role.
   */
  role?: 'ADMIN' | 'MEMBER' | 'VIEWER'
  /** The type and ID, as the caller sent them, of the resource that is not shared or not found. */
  resource?: { type: string; id: string }
  /** The action that needs the user's approval, for APPROVAL_REQUIRED. */
  permission?: string
  /** The workspace in which the action needs approval, for APPROVAL_REQUIRED. */
  workspaceId?: string
  /** The URL of the approval page, for APPROVAL_REQUIRED. */
  approvalUrl?: string
  /** The requested name, if the approval covers a name. */
  wanted?: string
  /**
   * The reason why a workspace does not allow an app, for APP_NOT_APPROVED. For FORBIDDEN, `denied` if the user denied the
   * request.
   */
  reason?: string
  /** The number of seconds until the next attempt, for RATE_LIMITED and SERVICE_UNAVAILABLE. */
  retryAfter?: number
}

/** The retry delay during an outage or overload, in seconds: long enough for a failover of the database. */
export const outageRetrySeconds = 5

/**
 * Thrown by domain code for every error that the caller can fix or must see. Its message is written for users. Every other
 * error is treated as a defect, and the edges do not show its details.
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

/**
 * Returns whether an error is an AppError. Checks the name instead of the class, because Next bundles a second copy of the
 * class.
 */
export const isAppError = (error: unknown): error is AppError =>
  error instanceof Error && error.name === 'AppError' && (error as AppError).code in errorCodes

/** Returns a BAD_USER_INPUT error for one field. @param field the input's name in the API or form */
export const badInput = (field: string, message: string) =>
  new AppError('BAD_USER_INPUT', message, { field, fields: { [field]: message } })
