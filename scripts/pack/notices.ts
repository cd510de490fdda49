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

/** Texts of licences in which a line names the holder, by SPDX identifier. */
const TEMPLATES: Record<string, string> = { MIT: 'LICENSE', ISC: 'scripts/pack/licences/ISC.txt' }

/** Texts of licences that a package may name without bringing them, by SPDX identifier. */
const OWN_TEXTS: Record<string, string[]> = {
  'LGPL-3.0-or-later': ['LGPL-3.0.txt', 'GPL-3.0.txt'],
}

/**
 * The licences of the packages in the product, with their texts: that is what MIT, BSD, MPL, LGPL and OFL ask of whoever
 * passes their work on.
 * @param folders the packages
 * @param traced every file in the product; a package that holds others' work has their licences beside it
 * @returns a text; packages under the same words stand together
 * @throws Error for a package whose licence has no text here
 */
export function notices(root: string, folders: string[], traced: ReadonlySet<string>): string {
  const byText = new Map<string, string[]>()
  for (const folder of [...folders].sort()) {
    const manifest: Manifest = JSON.parse(fs.readFileSync(path.join(root, folder, 'package.json'), 'utf8'))
    const text = licenceTexts(root, folder, manifest, traced).join('\n\n')
    byText.set(text, [...(byText.get(text) ?? []), title(manifest)])
  }
  const sections = [...byText].map(([text, titles]) => `${[...new Set(titles)].join('\n')}\n\n${text}\n`)
  return [OPENING, ...sections].join(`\n${'-'.repeat(80)}\n\n`)
}

const OPENING = `Latchkey is published under the MIT licence (LICENSE). It holds the work of others, listed here with their licences.
Where a licence asks for the source: each entry names the version and where it is published.
`

function licenceTexts(
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

/** What a package names but does not bring. */
function textOf(root: string, folder: string, manifest: Manifest): string {
  const { license = '' } = manifest
  const template = TEMPLATES[license]
  if (template) return read(path.join(root, template)).replace(/^Copyright.*$/m, holder(manifest))
  const own = OWN_TEXTS[license]
  if (!own)
    throw new Error(
      `${manifest.name} is under "${license}" and brings no text of it; put the text into scripts/pack/licences and name it in scripts/pack/notices.ts.`,
    )
  const texts = own.map((name) => read(path.join(root, 'scripts/pack/licences', name)))
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
