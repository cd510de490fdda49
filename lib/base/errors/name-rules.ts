import { config } from '@/lib/base/config/env'
import { blankHidden, holdsControls, holdsInvisible } from './hidden-characters'
import { looksOf, words } from './look-alikes'

/** What is wrong with a name as text, whatever it names: parts that nobody sees, or that do not stay in their line. See decision 077. */
export function unreadable(name: string): string | undefined {
  if (holdsControls(name)) return 'Leave out control characters.'
  if (holdsInvisible(name)) return 'Leave out line breaks and characters that nobody can see.'
  // Unicode UTS 39 section 5.4
  if (/^\p{M}|[\p{Mn}\p{Me}]{5}/u.test(name.normalize('NFD'))) return 'Put at most four marks on a letter.'
  return undefined
}

/**
 * Whether a name that strangers read, an app's or a workspace's, says what it is not: the service itself, somebody's name in
 * letters of another alphabet (Unicode UTS 39 section 4), or that it was verified.
 * @returns what to change
 */
export function pretence(name: string): string | undefined {
  if (checkMarks.test(name))
    return 'Leave out check marks: what is verified is marked as that beside its name.'
  const mixed = words(name.normalize('NFKC')).find(mixesAlphabets)
  if (mixed) return `Write “${mixed}” in one alphabet: it mixes letters that look alike.`
  const { SERVICE_NAME } = config()
  if (namesService(name, SERVICE_NAME)) {
    return `Leave out “${SERVICE_NAME}”: people would take it for the service itself.`
  }
  return undefined
}

/**
 * The name under which an app is shown that nobody here could tell to choose another.
 * @param fallback takes the place of a name that cannot be shown
 */
export function presentableName(name: string, fallback: string): string {
  const visible = (text: string) =>
    blankHidden(text.replace(new RegExp(`${checkMarks.source}\\ufe0f?`, 'gu'), ' '))
      .replace(/\s+/gu, ' ')
      .trim()
  // Claude Code, for one, puts what it connects to in brackets behind its name.
  const candidates = [name, name.replace(/\([^()]*\)/gu, ''), fallback].map(visible)
  const shown = candidates.find((candidate) => candidate && !unreadable(candidate) && !pretence(candidate))
  // Once more, because the cut may go through an emoji of several parts.
  return visible([...(shown ?? unnamed)].slice(0, 100).join(''))
}

export const unnamed = 'Unnamed app'

/** ✓ ✔ ☑ ✅ 🗸 🗹 ⍻ √ 🆗 🮱 */
const checkMarks = /[\u2713\u2714\u2611\u2705\u{1f5f8}\u{1f5f9}\u237b\u221a\u{1f197}\u{1fbb1}]/u

/** Alphabets with letters that look like those of another one. */
const alphabets = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Lisu}/u,
]

/** Greek letters that are symbols as well and look like no Latin one: µTorrent, ΔWorks. One in a word passes for that. */
const symbol = /[μΔΩ]/u

function mixesAlphabets(word: string): boolean {
  const letters = word.replace(symbol, '')
  return alphabets.filter((alphabet) => alphabet.test(letters)).length > 1
}

function namesService(name: string, service: string): boolean {
  const services = looksOf(service).map((look) => look.join(''))
  return looksOf(name).some((look, at) => holds(look, services[at] as string))
}

/** A short name of a service may be a part of other words; a longer one hardly is. */
function holds(look: string[], service: string): boolean {
  if (service.length >= 6 && look.some((word) => word.includes(service))) return true
  return look.some((_, from) => {
    let joined = ''
    for (let to = from; to < look.length && joined.length < service.length; to++) joined += look[to]
    return joined === service
  })
}
