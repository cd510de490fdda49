/** What a drill has found, as it is printed. */
type Findings = {
  /** What there is to say, each under a word. */
  lines: [word: string, text: string][]
  /** How many tokens were acknowledged, and which of these do not work. */
  acknowledged: number
  lost: string[]
  /** What else should not be. */
  wrong: string[]
}

/** Breaks one thing on purpose. */
export type Drill = {
  /** One line. */
  about: string
  run: () => Promise<Findings>
}
