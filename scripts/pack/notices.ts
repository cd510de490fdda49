import fs from 'node:fs'
import path from 'node:path'
import { packageOf } from './traced-files'

type Manifest = {
  name: string
  version: string
  license?: string
  author?: string | { name?: string }
  homepage?: string
  repository?: string | { url?: string }
}

const LICENCE_FILE = /^(licen[cs]e|notice|copying|third[-_]party)[^/]*$/i

/**
 * License files in which one line names the copyright holder, by SPDX identifier. `textOf` replaces this
 * line.
 */
const TEMPLATES: Record<string, string> = { MIT: 'LICENSE', ISC: 'scripts/pack/licenses/ISC.txt' }

/** The files in scripts/pack/licenses that together contain the text of a license, by SPDX identifier. */
const OWN_TEXTS: Record<string, string[]> = {
  'LGPL-3.0-or-later': ['LGPL-3.0.txt', 'GPL-3.0.txt'],
}

/**
 * Returns the license texts of the product's packages, which MIT, BSD, MPL, LGPL, and OFL require for
 * redistribution.
 * @param folders the folders of the packages
 * @param traced every file of the product, to find the licenses of vendored code in a package
 * @returns a text that groups packages with the same license text
 * @throws Error if a package includes no license text, and this module has no text for its license
 */
export function notices(root: string, folders: string[], traced: ReadonlySet<string>): string {
  const byText = new Map<string, string[]>()
  for (const folder of [...folders].sort()) {
    const manifest: Manifest = JSON.parse(fs.readFileSync(path.join(root, folder, 'package.json'), 'utf8'))
    const text = licenseTexts(root, folder, manifest, traced).join('\n\n')
    byText.set(text, [...(byText.get(text) ?? []), title(manifest)])
  }
  const sections = [...byText].map(([text, titles]) => `${[...new Set(titles)].join('\n')}\n\n${text}\n`)
  return [OPENING, ...sections].join(`\n${'-'.repeat(80)}\n\n`)
}

const OPENING = `Latchkey is published under the MIT license (LICENSE). It holds the work of others, listed here with their licenses.
Where a license asks for the source: each entry names the version and where it is published.
`

function licenseTexts(
  root: string,
  folder: string,
  manifest: Manifest,
  traced: ReadonlySet<string>,
): string[] {
  const inside = new Set(
    [...traced].filter((file) => packageOf(file) === folder).map((file) => path.posix.dirname(file)),
  )
  const texts = [folder, ...[...inside].sort().filter((each) => each !== folder)].flatMap((each) => {
    const found = fs.readdirSync(path.join(root, each)).filter((name) => LICENCE_FILE.test(name))
    return found
      .filter((name) => fs.statSync(path.join(root, each, name)).isFile())
      .map((name) => {
        const text = read(path.join(root, each, name))
        return each === folder ? text : `${each.slice(folder.length + 1)}:\n\n${text}`
      })
  })
  return texts.length > 0 ? texts : [textOf(root, folder, manifest)]
}

/**
 * Returns the license text for a package that declares a license but does not include its text. For a license
 * in `TEMPLATES`, names the package's author in the copyright line. For a license in `OWN_TEXTS`, puts the
 * package's README before the text.
 * @throws Error for any other license
 */
function textOf(root: string, folder: string, manifest: Manifest): string {
  const { license = '' } = manifest
  const template = TEMPLATES[license]
  if (template) return read(path.join(root, template)).replace(/^Copyright.*$/m, holder(manifest))
  const own = OWN_TEXTS[license]
  if (!own)
    throw new Error(
      `${manifest.name} has the license "${license}", but does not include its text. Add the text to scripts/pack/licenses, and list it in scripts/pack/notices.ts.`,
    )
  const texts = own.map((name) => read(path.join(root, 'scripts/pack/licenses', name)))
  return [read(path.join(root, folder, 'README.md')), ...texts].join('\n\n')
}

const read = (file: string) => fs.readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim()

const title = (manifest: Manifest) =>
  [`${manifest.name} ${manifest.version}`, manifest.license, published(manifest)].filter(Boolean).join(' | ')

const published = ({ homepage, repository }: Manifest) =>
  (typeof repository === 'string' ? repository : repository?.url)?.replace(/^git\+/, '') ?? homepage

function holder({ name, author }: Manifest): string {
  const who = typeof author === 'string' ? author : author?.name
  return `Copyright (c) ${who ?? `the authors of ${name}`}`
}
