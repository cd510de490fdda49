import { expect, it } from 'vitest'
import { catalogs, type MessageKey, sayIn } from '@/lib/base/language/say'
import { filesLoadedBy } from './loaded-files'
import {
  AUTH_PAGES,
  callsOf,
  ELSEWHERE,
  FORMS,
  hardcodedTexts,
  MESSAGE_SOURCES,
  REFUSES,
  RENDERED,
} from './message-sources'
import { filesLike, read } from './sources'

const sources = filesLike(/^(app|components|lib)\/.*(?<!\.test)\.tsx?$/)
const among = (places: RegExp[]) => sources.filter((file) => places.some((place) => place.test(file)))
/** All source files that must take their text from the catalogs. */
const spoken = new Set([...filesLoadedBy(among(AUTH_PAGES), RENDERED).keys(), ...among(MESSAGE_SOURCES)])

it.each([
  ['<p>Look into your mailbox</p>', 'Look into your mailbox'],
  ['<Button type="submit">\n          Continue\n        </Button>', 'Continue'],
  ['<b>{name}</b> and <i>{other}</i>', 'and'],
  ['<b\n  className="x"\n>\n  Continue\n</b>', 'Continue'],
  ['<Field label="Your code" name="code" />', 'Your code'],
  ['<Field label="code" />', 'code'],
  ['<Row action="Add" />', 'Add'],
  [`text: \`\${left} of 10 left\``, `\${left} of 10 left`],
  ["showPage(ctx, { title: 'You are signed out' })", 'You are signed out'],
  ['text: [`Going back to {name}`]', 'Going back to {name}'],
])('hardcodedTexts finds hardcoded text in %s', (source, sentence) =>
  expect(hardcodedTexts(source)).toContain(sentence),
)

it.each([
  '<p className="text-sm font-medium">{say("login.title")}</p>',
  "const visit = await read<Set<string>>('x') // Not a sentence here",
  "throw new Error('nothing')",
  '<input type="hidden" name="in" value={only.id} />',
  'fields?: Record<string, string>\n  error?: string | undefined\n  dialog: RefObject<HTMLDialogElement>',
  `className={\`\${look} border\`}`,
])('hardcodedTexts finds no hardcoded text in %s', (source) => expect(hardcodedTexts(source)).toEqual([]))

it('auth pages and emails take every sentence from the catalogs', () => {
  expect(spoken).toContain('components/ui/field.tsx')
  const own = [...spoken].flatMap((file) =>
    hardcodedTexts(read(file), file).map((sentence) => `${file}: ${sentence}`),
  )
  expect(own).toEqual([])
})

it('emails and notifications take their sentences from the catalogs', () => {
  const composers = sources.flatMap((file) =>
    ['composeMail', 'notify'].flatMap((name) => callsOf(read(file), name)).map((call) => ({ file, call })),
  )
  expect(composers.length).toBeGreaterThan(8)
  expect(composers.flatMap(({ file, call }) => hardcodedTexts(call, file))).toEqual([])
})

it('forms on auth pages take every error message from the catalogs', () => {
  const files = [...filesLoadedBy(FORMS, REFUSES).keys()].filter((file) => !file.endsWith('errors/codes.ts'))
  expect(files).toContain('lib/features/identity/two-factor/verify-code.ts')
  const { known } = sayIn('de')
  const unknown = files
    .flatMap((file) => hardcodedTexts(read(file), file))
    .filter((text) => /^[^$]+\.$/.test(text) && known(text) === text)
  expect([...new Set(unknown)].sort()).toEqual([...ELSEWHERE].sort())
})

it('every message in the catalogs is used', () => {
  const code = sources.map(read).join('\n')
  const made = /^(known|scope|role)\.|^reach\.as\./
  const unsaid = (Object.keys(catalogs.en) as MessageKey[]).filter(
    (key) => !made.test(key) && ![`'${key}'`, `="${key}"`].some((said) => code.includes(said)),
  )
  expect(unsaid).toEqual([])
})
