/**
 * An address as the audit log may keep it: without its query, where receivers that know no better have their tokens. The log is
 * read by more people than may change the address, is exported, and is kept for years.
 */
export function recordedUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return `${origin}${pathname}${search ? '?…' : ''}`
}
