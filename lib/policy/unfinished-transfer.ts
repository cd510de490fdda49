/**
 * A transferred app waits for its new admins to review its redirect URIs and replace its credentials. Until they do, it is not one
 * of the workspace's own apps. After `graceDays` it is off at the OAuth endpoints, with every credential that the former owner
 * has. See decision 208.
 */
export const graceDays = 7

/** Returns when an app with an unfinished transfer is switched off. */
export const graceEnd = (transferredAt: Date): Date =>
  new Date(transferredAt.getTime() + graceDays * 86_400_000)

/** SQL: the workspace whose own app a row of oauth_clients is, by its alias; null while its transfer is unfinished. */
export const ownedBy = (app: string): string =>
  `CASE WHEN ${app}.transferred_at IS NULL THEN ${app}.workspace_id END`

/** SQL: whether the grace period of an unfinished transfer is over. */
export const graceIsOver = (app: string): string =>
  `COALESCE(${app}.transferred_at < now() - interval '${graceDays} days', false)`
