/** What a refused form says: one sentence over it, messages by field, and what had been typed (never a password). */
export type RefusedForm = { message: string; fields: Record<string, string>; values: Record<string, string> }
