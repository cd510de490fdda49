import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { version } from '@/package.json'
import { changelogProblems, readChangelog } from './changelog'
import { read } from './sources'

const entry = (name: string, lines = '', commit = true) =>
  `## [${name}] - 2026-11-23\n\n${commit ? `Commit \`${'a'.repeat(40)}\`.\n\n` : ''}${lines}\n`
const changelog = (...entries: string[]) => `# Changelog\n\n${entries.join('\n')}`

describe('CHANGELOG.md', () => {
  const text = read('CHANGELOG.md')

  it('has the required format, and versions that follow semver', () => {
    expect(changelogProblems(text, version)).toEqual([])
  })

  it('has the same version as the packages, the chart, and the image', () => {
    const { version: chart, appVersion } = parse(read('deploy/helm/latchkey/Chart.yaml'))
    const locked = JSON.parse(read('package-lock.json'))
    expect({
      chart,
      appVersion,
      image: /^ARG VERSION=(.+)$/m.exec(read('Dockerfile'))?.[1],
      lockfile: locked.version,
      package: locked.packages[''].version,
    }).toEqual({ chart: version, appVersion: version, image: version, lockfile: version, package: version })
  })

  it('starts with the same release as the list of supported releases in docs/operate/upgrade.md', () => {
    const [, listed] = /^\| (\d+\.\d+)\.x \|/m.exec(read('docs/operate/upgrade.md')) ?? []
    expect(listed).toBe(version.split('.').slice(0, 2).join('.'))
  })
})

describe('a changelog', () => {
  const old = entry('2.0.0')

  it.each([
    ['2.1.0', entry('2.1.0', '### Added\n\n- A page.', false)],
    ['3.0.0', entry('3.0.0', '### Added\n\n- A page.', false)],
    ['2.0.1', entry('2.0.1', '### Fixed\n\n- A page.', false)],
    ['3.0.0', entry('3.0.0', '### Changed\n\n- **Breaking:** A setting has\n  another name.', false)],
  ])('is accepted if its next version is %s', (named, text) => {
    expect(changelogProblems(changelog(text, old), named)).toEqual([])
  })

  it.each([
    [
      'a version that differs from package.json',
      '2.1.1',
      entry('2.1.0', '### Added\n\n- A page.', false),
      /package.json says 2.1.1/,
    ],
    [
      'a feature in a patch',
      '2.0.1',
      entry('2.0.1', '### Added\n\n- A page.', false),
      /require 2.1.0 or 3.0.0/,
    ],
    [
      'a breaking change in a minor version',
      '2.1.0',
      entry('2.1.0', '### Changed\n\n- **Breaking:** A name.', false),
      /require 3.0.0/,
    ],
    ['a skipped version', '2.2.0', entry('2.2.0', '### Added\n\n- A page.', false), /require 2.1.0 or 3.0.0/],
    [
      'an unknown section',
      '2.1.0',
      entry('2.1.0', '### Improved\n\n- A page.\n\n### Added\n\n- A page.', false),
      /"Improved"/,
    ],
    ['no date', '2.1.0', '## [2.1.0]\n\n### Added\n\n- A page.', /An entry begins with/],
    ['an unreleased entry', '2.1.0', '## [Unreleased]\n\n', /top entry is .*An entry begins with/s],
  ])('is rejected with %s', (_, named, text, problem) => {
    expect(changelogProblems(changelog(text, old), named).join('\n')).toMatch(problem)
  })

  it('is rejected if an earlier release has no commit', () => {
    const text = changelog(entry('2.1.0', '### Added\n\n- A page.', false), entry('2.0.0', '', false))
    expect(changelogProblems(text, '2.1.0')).toEqual(['2.0.0 has no commit (Commit `<40 digits>`).'])
  })

  it('can have entries with several lines', () => {
    const text = changelog(
      entry('2.1.0', '### Added\n\n- A page\n  with two lines.\n- Another.\n\n### Fixed\n\n- It.'),
      old,
    )
    expect(readChangelog(text)[0]?.sections).toEqual({
      Added: ['A page\n  with two lines.', 'Another.'],
      Fixed: ['It.'],
    })
  })
})
