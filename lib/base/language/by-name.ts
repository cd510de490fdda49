type Named = { id: string; name: string }

const names = new Intl.Collator('en', { numeric: true })

/** Compares two things as lists show them: by name in natural order ("Project 2" before "Project 10"), namesakes by their ids. */
export const byName = (one: Named, other: Named): number =>
  names.compare(one.name, other.name) || (one.id < other.id ? -1 : 1)
