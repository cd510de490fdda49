import { type ErrorCode, errorCodes } from './codes'

/** Public details of an error, in addition to the message. */
export type ErrorDetails = {
  /** The input field that is wrong, for BAD_USER_INPUT and CONFLICT. */
  field?: string
  /** More messages by field, if several fields are invalid. */
  fields?: Record<string, string>
  /** The position of the fault in a field with several values: `['variables', 2, 'name']`. */
  at?: (string | number)[]
  /** The missing scope, for INSUFFICIENT_SCOPE. */
  requiredScope?: string
  /** The required role, for FORBIDDEN because of the role. */
  requiredRole?: 'ADMIN' | 'MEMBER' | 'VIEWER'
  /** The caller's role here, which is too low: the user's or the token's. */
  role?: 'ADMIN' | 'MEMBER' | 'VIEWER'
  /** The type and ID of the resource that is not shared or not found, as the caller named it. */
  resource?: { type: string; id: string }
  /**
   * The action that needs the user's approval, its workspace, and the approval page, for APPROVAL_REQUIRED.
   */
  permission?: string
  workspaceId?: string
  approvalUrl?: string
  /** The requested name, if the approval is about one. */
  wanted?: string
  /**
   * Why a workspace does not allow an app, for APP_NOT_APPROVED; `denied` if the user denied the request, for
   * FORBIDDEN.
   */
  reason?: string
  /** The seconds until the next attempt, for RATE_LIMITED and SERVICE_UNAVAILABLE. */
  retryAfter?: number
}

/** The retry delay while the database is unavailable, in seconds: long enough for a failover. */
export const outageRetrySeconds = 5

/**
 * Thrown by the domain for every error that the caller can fix or must see. Its message is written for users.
 * Anything else is a defect, which the edges mask.
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

/** Recognizes an AppError by its name, because Next bundles this class a second time. */
export const isAppError = (error: unknown): error is AppError =>
  error instanceof Error && error.name === 'AppError' && (error as AppError).code in errorCodes

/** Returns BAD_USER_INPUT for one field. @param field the input's name in the API or form */
export const badInput = (field: string, message: string) =>
  new AppError('BAD_USER_INPUT', message, { field, fields: { [field]: message } })
