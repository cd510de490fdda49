/** The errors and values of a rejected form; empty after success. */
export type RefusedForm = {
  /** Messages by field name. */
  fields: Record<string, string>
  /** The typed values by field name, without secrets. */
  values: Record<string, string>
  /** The error for the whole form. */
  message?: string
}

/** The state of a dashboard form after it was sent: its errors and values, or its result. */
export type FormState<Result = true> = RefusedForm & {
  /** The result, such as a secret that is shown only once. */
  result?: Result
  /** How often the form was sent. Used as a key for controls that must reset. */
  turn: number
}

/** The action of a form for `useActionState` of React. */
export type FormAction<Result = true> = (
  previous: FormState<Result>,
  form: FormData,
) => Promise<FormState<Result>>

export const untouched: FormState<never> = { values: {}, fields: {}, turn: 0 }
