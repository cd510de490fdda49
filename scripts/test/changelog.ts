/** A release in CHANGELOG.md. */
export type ChangelogEntry = {
  version: string
  date: string
  /** The commit of the release. Undefined for the top entry, whose commit does not exist yet. */
  commit?: string
  /** The list items of each section, by the section's name. */
  sections: Record<string, string[]>
}

const sectionNames = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

/** Parses CHANGELOG.md. Returns the entries in the order of the file, which is newest first. */
export function readChangelog(text: string): ChangelogEntry[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((entry) => {
      const [, version = '', date = ''] = /^\[(.+?)\] - (.+)$/m.exec(entry) ?? []
      const [, commit] = /^Commit `([0-9a-f]{40})`/m.exec(entry) ?? []
      const sections = entry.split(/^### /m).slice(1)
      return {
        version,
        date,
        ...(commit && { commit }),
        sections: Object.fromEntries(
          sections.map((section) => [
            section.slice(0, section.indexOf('\n')),
            [...section.matchAll(/^- (.+(?:\n {2}.+)*)/gm)].map(([, line]) => line as string),
          ]),
        ),
      }
    })
}

/**
 * Returns the faults of CHANGELOG.md, one sentence each. Checks the format, whether the versions follow
 * semver, and whether each earlier release has a commit.
 * @param version the version in package.json, which the top entry must have
 */
export function changelogProblems(text: string, version: string): string[] {
  const entries = readChangelog(text)
  const top = entries[0]?.version
  return [
    ...(top === version ? [] : [`The top entry is ${top}; package.json says ${version}.`]),
    ...entries.flatMap((entry, at) => entryProblems(entry, entries[at + 1])),
    ...entries
      .slice(1)
      .filter(({ commit }) => commit === undefined)
      .map((each) => `${each.version} has no commit (Commit \`<40 digits>\`).`),
  ]
}

function entryProblems({ version, date, sections }: ChangelogEntry, earlier?: ChangelogEntry): string[] {
  if (!/^\d+\.\d+\.\d+$/.test(version) || !/^\d{4}-\d\d-\d\d$/.test(date)) {
    return [`An entry begins with "## [<version>] - <YYYY-MM-DD>", not with ${version} and ${date}.`]
  }
  const odd = Object.keys(sections).filter((name) => !sectionNames.includes(name))
  const wanted = earlier === undefined ? [] : allowedAfter(earlier.version, requiredStep(sections))
  return [
    ...odd.map(
      (name) => `${version} has the section "${name}"; Keep a Changelog has ${sectionNames.join(', ')}.`,
    ),
    ...(wanted.length === 0 || wanted.includes(version)
      ? []
      : [`${version} follows ${earlier?.version}; by semver, its changes require ${wanted.join(' or ')}.`]),
  ]
}

/**
 * Returns the smallest version increment that a release's sections allow: 0 for major, 1 for minor, 2 for
 * patch.
 */
function requiredStep(sections: ChangelogEntry['sections']): number {
  if (
    Object.values(sections)
      .flat()
      .some((line) => line.startsWith('**Breaking:**'))
  )
    return 0
  const grows = ['Added', 'Changed', 'Deprecated', 'Removed'].some(
    (name) => (sections[name]?.length ?? 0) > 0,
  )
  return grows ? 1 : 2
}

/**
 * Returns the versions that can follow a version, smallest increment first.
 * @param step the smallest allowed increment: 0 for major, 1 for minor, 2 for patch
 */
function allowedAfter(version: string, step: number): string[] {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const next = [`${major + 1}.0.0`, `${major}.${minor + 1}.0`, `${major}.${minor}.${patch + 1}`]
  return next.slice(0, step + 1).reverse()
}
