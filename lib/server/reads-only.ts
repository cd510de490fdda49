/** The console of somebody who is signed in; not the operator's, who looks at the primary. */
const consolePages = /^\/(?:account|workspaces)(?:\/|$)/

/**
 * Whether a request for a page shows what is stored and changes nothing, so that a replica may answer what it asks the
 * database. Auth pages are not among them: sign-in and consent read what they have just written.
 * @param path without its query
 */
export const readsOnly = (method: string | undefined, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') && consolePages.test(path)
