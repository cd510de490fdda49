/** What a form said, by field name. */
export type FormFields = Record<string, string>

/**
 * The text fields of a form, whichever way it came: the one way in which a form of ours is read. One that occurs more than once, such as checkboxes of one name, becomes lines.
 * React's own start with a `$`. No field of a page can hold NUL, and PostgreSQL takes it in no text and no id, so it goes.
 */
export function textFields(form: FormData): FormFields {
  const input: FormFields = {}
  for (const [name, value] of form) {
    if (typeof value !== 'string' || name.startsWith('$')) continue
    const text = value.replaceAll('\0', '')
    input[name] = Object.hasOwn(input, name) ? `${input[name]}\n${text}` : text
  }
  return input
}

/** The values of a field that occurred more than once, or not at all. */
export const linesOf = (field: string | undefined): string[] => (field ?? '').split('\n').filter(Boolean)
