/**
 * Whether an origin can stand in a Content-Security-Policy as it is. URLs take hosts with characters that would end a source
 * or a whole directive there, such as `;` and `,`.
 */
export const isSource = (origin: string): boolean =>
  /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d+)?$/.test(origin)
