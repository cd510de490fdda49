/** The errors and values of a rejected form. After success, `fields` and `values` are empty. */
export type RefusedForm = {
  /** Messages by field name. */
  fields: Record<string, string>
  /** The typed values by field name, without secrets. */
  values: Record<string, string>
  /** The error for the whole form. */
  message?: string
}

/**
 * The reason why a form's request failed. The form keeps its input, and its button sends the request again.
 */
export type Failure = 'offline' | 'unreachable' | 'unavailable' | 'broken' | 'updated' | 'signedOut'

/**
 * The state of a dashboard form: the errors and values of a rejected form, or the result of a successful one.
 */
export type FormState<Result = true> = RefusedForm & {
  /** The result, such as a secret that is shown only once. */
  result?: Result
  /** Set if the form's request failed. `message` describes the failure. */
  failure?: Failure
  /** The number of times that the server processed the form. Used as a key for controls that must reset. */
  turn: number
}

/** A form's action for React's `useActionState`. */
export type FormAction<Result = true> = (
  previous: FormState<Result>,
  form: FormData,
) => Promise<FormState<Result>>

export const untouched: FormState<never> = { values: {}, fields: {}, turn: 0 }

/**
 * Matches the names of fields that contain credentials: passwords, codes, tokens, secrets, and passkey
 * responses. answer-form.test.ts fails if a form in the product has a secret field that this expression does
 * not match.
 */
const secretField = /pass(word|phrase|code)|secret|token|credential|recovery|otp|^(code|current|response)$/i

/** Returns whether a field's value must never be sent back to its form. */
export const isSecretField = (name: string): boolean => secretField.test(name)
