export type Fields = Record<string, string>
/** A request to make, and the credential whose row it is about. */
export type Prepared = { fields: Fields; credential?: string; headers?: Fields; path?: string; raw?: string }

/** The same request with other fields. */
export const withField = async (prepared: Promise<Prepared>, fields: Fields): Promise<Prepared> => {
  const { fields: before, ...rest } = await prepared
  return { ...rest, fields: { ...before, ...fields } }
}
/** The same request without a field. */
export const without = async (prepared: Promise<Prepared>, name: string): Promise<Prepared> => {
  const { fields, ...rest } = await prepared
  return { ...rest, fields: Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name)) }
}
/** The same request with headers of its own. */
export const withHeaders = async (prepared: Promise<Prepared>, headers: Fields): Promise<Prepared> => ({
  ...(await prepared),
  headers,
})
/** The same request with its body edited as text. */
export const written = async (
  prepared: Promise<Prepared>,
  edit: (raw: string) => string,
): Promise<Prepared> => {
  const made = await prepared
  return { ...made, raw: edit(String(new URLSearchParams(made.fields))) }
}
