/**
 * The columns of a unique constraint that a Prisma write violated.
 * With a driver adapter P2002 carries no `meta.target`; the driver's own error names the constraint.
 * @returns the column names or the index name in a list of one; undefined for any other error
 */
export function uniqueViolation(error: unknown): string[] | undefined {
  if (!(error instanceof Error) || (error as { code?: string }).code !== 'P2002') return undefined
  const meta = (error as { meta?: { driverAdapterError?: { cause?: { constraint?: unknown } } } }).meta
  const constraint = meta?.driverAdapterError?.cause?.constraint as
    | { fields?: string[]; index?: string }
    | undefined
  return constraint?.fields ?? (constraint?.index ? [constraint.index] : [])
}
