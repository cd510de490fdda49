import { createElement, Fragment, type ReactNode } from 'react'

/** The shortest word that gets line breaks. Numbers, times, and versions are shorter. */
const shortest = 12

/**
 * Shows text whose long email addresses, URLs, and IP addresses break after their punctuation instead of at any letter. An
 * email address moves to the next line as a whole if it fits there. The text that is read or copied stays the same. The
 * element around the text needs `wrap-anywhere` for words that are still too long, which paragraphs and list items have.
 */
export const Breakable = ({ text }: { text: string }) =>
  // Text in Chinese or Japanese has no spaces, so these characters also separate words.
  createElement(Fragment, null, ...text.split(/([^\s\u3000-\uffef]+)/).map(breakWord))

function breakWord(word: string): ReactNode {
  if (word.length < shortest) return word
  const pieces = word.split(/(?<=\w[@./_:?&=]+)(?=[^@./_:?&=])/)
  if (pieces.length === 1) return word
  const broken = pieces.flatMap((piece, at) =>
    at === 0 ? piece : [createElement('wbr', { key: at }), piece],
  )
  return word.includes('@')
    ? createElement('bdi', { className: 'inline-block max-w-full wrap-anywhere' }, ...broken)
    : createElement(Fragment, null, ...broken)
}
