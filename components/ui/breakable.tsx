import { createElement, Fragment, type ReactNode } from 'react'

/** The shortest word that gets line breaks. Numbers, times, and versions are shorter. */
const shortest = 12

/**
 * The longest word that gets line breaks. The time to find them grows with the square of a run of
 * punctuation.
 */
const longest = 2000

/**
 * Shows text whose long email addresses, URLs, and IP addresses break after their punctuation instead of at
 * any letter. An email address moves to the next line as a whole if it fits there. The text that is read or
 * copied stays the same. The element around the text needs `wrap-anywhere` for words that are still too long,
 * which paragraphs and list items have.
 */
export const Breakable = ({ text }: { text: string }) =>
  // Text in Chinese or Japanese has no spaces, so these characters also separate words.
  createElement(Fragment, null, ...text.split(/([^\s\u3000-\uffef]+)/).map(breakWord))

function breakWord(word: string): ReactNode {
  if (word.length < shortest || word.length > longest) return word
  // Punctuation around the word belongs to the sentence. Within the <bdi>, it would be on the wrong side in
  // Arabic text.
  const [, before = '', inner = '', after = ''] = /^(\(*)(.*?)([.,;:!?،؟)]*)$/.exec(word) ?? []
  const pieces = inner.split(/(?<=\w[@./_:?&=]+)(?=[^@./_:?&=])/)
  if (pieces.length === 1) return word
  const broken = pieces.flatMap((piece, at) =>
    at === 0 ? piece : [createElement('wbr', { key: at }), piece],
  )
  const shown = word.includes('@')
    ? createElement('bdi', { className: 'inline-block max-w-full wrap-anywhere' }, ...broken)
    : createElement(Fragment, null, ...broken)
  return createElement(Fragment, null, before, shown, after)
}
