/** What a refused form says, and shows again; empty after success. */
export type RefusedForm = {
  /** Messages by field name. */
  fields: Record<string, string>
  /** What had been typed, by field name. Never a secret. */
  values: Record<string, string>
  /** What was wrong with the whole of it. */
  message?: string
}

/** What a form on a dashboard knows after it was sent: what was wrong and had been typed, or what came of it. */
export type FormState<Result = true> = RefusedForm & {
  /** What came of it, such as a secret that is shown this once and kept nowhere. */
  result?: Result
  /** How often the form was sent; a key for controls that must start anew. */
  turn: number
}

/** The action of a form, as React's `useActionState` takes it. */
export type FormAction<Result = true> = (
  previous: FormState<Result>,
  form: FormData,
) => Promise<FormState<Result>>

export const untouched: FormState<never> = { values: {}, fields: {}, turn: 0 }
