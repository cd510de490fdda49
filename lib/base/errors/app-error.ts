import { type ErrorCode, errorCodes } from './codes'

/** Public details of an error, in addition to the message. */
export type ErrorDetails = {
  /** The invalid input field. If several fields are invalid, the first of them. */
  field?: string
  /** The messages by field, one for each invalid field. */
  fields?: Record<string, string>
  /**
   * The path of the invalid value if its field contains several values, such as `['variables', 2, 'name']`.
   */
  at?: (string | number)[]
  /** The missing scope, for INSUFFICIENT_SCOPE. */
  requiredScope?: string
  /** The required role, for FORBIDDEN if the caller's role is too low. */
  requiredRole?: 'ADMIN' | 'MEMBER' | 'VIEWER'
  /**
   * The caller's current role on the resource, which is too low. This is the user's role or, if only the
   * token's role is too low, the token's role.
   */
  role?: 'ADMIN' | 'MEMBER' | 'VIEWER'
  /**
   * The type and ID of the resource that the error is about, such as a resource that is not shared or not
   * found.
   */
  resource?: { type: string; id: string }
  /**
   * The action that needs the user's approval, for APPROVAL_REQUIRED. For FORBIDDEN, the action that the user
   * denied.
   */
  permission?: string
  /** The workspace in which the action needs approval, for APPROVAL_REQUIRED. */
  workspaceId?: string
  /** The URL of the approval page, for APPROVAL_REQUIRED. */
  approvalUrl?: string
  /** The requested name, if the approval covers a name. */
  wanted?: string
  /**
   * The reason why a workspace does not allow an app, for APP_NOT_APPROVED. For FORBIDDEN, `denied` if the
   * user denied the request, the reason why no account can be created, such as `sign_up_closed`, or the
   * reason why a user cannot sign in, such as `sso_required`.
   */
  reason?: string
  /**
   * The number of seconds to wait before the next attempt. Set for RATE_LIMITED, SERVICE_UNAVAILABLE, and
   * some other errors.
   */
  retryAfter?: number
}

/** The retry delay during an outage or overload, in seconds: long enough for a database failover. */
export const outageRetrySeconds = 5

/**
 * Thrown by domain code for every error that the caller can fix or must see. Its message is written for
 * users. Except for invalid GraphQL queries, database outages, and rows that were deleted during a change,
 * the edges treat all other errors as defects and do not show their details.
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
 * Returns whether an error is an AppError. Checks the name and the code instead of the class, because Next
 * bundles a second copy of the class.
 */
export const isAppError = (error: unknown): error is AppError =>
  error instanceof Error && error.name === 'AppError' && (error as AppError).code in errorCodes

/** Returns a BAD_USER_INPUT error for one field. @param field the input's name in the API or form */
export const badInput = (field: string, message: string) =>
  new AppError('BAD_USER_INPUT', message, { field, fields: { [field]: message } })
