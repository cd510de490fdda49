import unhomoglyph from 'unhomoglyph'
import { config } from '@/lib/config/env'

/** What is wrong with a name as text, whatever it names: parts that nobody sees, or that do not stay in their line. */
export function unreadable(name: string): string | undefined {
  if (/\p{C}/u.test(name)) return 'Leave out control characters.'
  if (invisible.test(withoutEmojiStyle(name)))
    return 'Leave out line breaks and characters that nobody can see.'
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
    withoutEmojiStyle(text)
      .replace(new RegExp(`${invisible.source}|${checkMarks.source}|\\p{C}`, 'gu'), ' ')
      .replace(/\s+/gu, ' ')
      .trim()
  // Claude Code, for one, puts what it connects to in brackets behind its name.
  const candidates = [name, name.replace(/\([^()]*\)/gu, ''), fallback].map(visible)
  const shown = candidates.find((candidate) => candidate && !unreadable(candidate) && !pretence(candidate))
  return [...(shown ?? unnamed)].slice(0, 100).join('')
}

export const unnamed = 'Unnamed app'

/** Takes no room, or looks like a space; spaces themselves are one character alone (`oneSpace`). */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u

/** An emoji may be followed by the invisible character that asks for its coloured form. */
const withoutEmojiStyle = (text: string) => text.replace(/(?<=\p{Extended_Pictographic})\ufe0f/gu, '')

/** ✓ ✔ ☑ ✅ 🗸 🗹 */
const checkMarks = /[\u2713\u2714\u2611\u2705\u{1f5f8}\u{1f5f9}]/u

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

const mixesAlphabets = (word: string) => alphabets.filter((alphabet) => alphabet.test(word)).length > 1

const words = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** What a name looks like (UTS 39 section 4): each letter's look depends on its case, so there is a look for each. */
function looksOf(name: string): string[][] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '')
  return [plain, plain.toLowerCase(), plain.toUpperCase()].map((text) =>
    words(unhomoglyph(text).toLowerCase()),
  )
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
