/** A text as LIKE and ILIKE take it literally: `%`, `_` and `\` mean themselves. Prisma hands texts over as they are. */
export const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
