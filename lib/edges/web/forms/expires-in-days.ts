/** The moment that a form's choice of days ends at, counted from now; null for the choice of never. */
export function expiresInDays(days: string | undefined): Date | null {
  const count = Number(days)
  return count > 0 ? new Date(Date.now() + count * 86_400_000) : null
}
