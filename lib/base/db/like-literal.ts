/** A text as LIKE and ILIKE take it literally: `%`, `_` and `\` mean themselves. Prisma hands texts over as they are. */
export const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** What somebody typed into a search field, as LIKE and ILIKE take it: no longer than any name, and literally. */
export const searchLiteral = (text: string): string => likeLiteral(text.trim().slice(0, 80))
