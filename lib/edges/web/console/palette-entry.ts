/** A place or an action that the command palette offers. */
export type PaletteEntry = {
  /** The heading it stands under. */
  group: string
  label: string
  /** What tells it from others of its name: the workspace it belongs to. */
  hint?: string
  href: string
  /** The address takes a POST: an action, not a place. */
  post?: true
  /** Offered only once something was typed that matches it. */
  onSearch?: true
}

/** What the command palette loads. `more`: not all there is, so that what is typed has to be searched for here. */
export type Palette = { entries: PaletteEntry[]; more: boolean }

/** What someone typed, word by word; the order does not matter. */
export const wordsOf = (text: string): string[] =>
  text.slice(0, 80).toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8)

/** Whether an entry's own texts hold every word. */
export function holdsWords({ group, label, hint = '' }: PaletteEntry, words: readonly string[]): boolean {
  const text = `${label} ${hint} ${group}`.toLowerCase()
  return words.every((word) => text.includes(word))
}
