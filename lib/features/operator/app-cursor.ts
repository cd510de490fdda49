/** Where a page of apps begins: app ids are no times, so the time goes with the id. */
export type AppCursor = { createdAt: Date; id: string }

/** A cursor as an address carries it. */
export const writeAppCursor = ({ createdAt, id }: AppCursor): string =>
  Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url')

/** @returns undefined for what is no cursor */
export function readAppCursor(text: string): AppCursor | undefined {
  const [, time, id] = /^(\d{1,15}) (\P{C}{1,2048})$/u.exec(Buffer.from(text, 'base64url').toString()) ?? []
  return time && id ? { createdAt: new Date(Number(time)), id } : undefined
}
