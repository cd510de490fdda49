/** What a drill has found, as it is printed. */
export type Findings = {
  /** What there is to say, each under a word. */
  lines: [word: string, text: string][]
  /** How many tokens were acknowledged, and which of these do not work; not of a drill without a ledger. */
  acknowledged?: number
  lost?: string[]
  /** What else should not be. */
  wrong: string[]
}

/** Why a drill cannot be done on this machine. */
type Skipped = { skipped: string }

/** Breaks one thing on purpose. */
export type Drill = {
  /** One line. */
  about: string
  run: () => Promise<Findings | Skipped>
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
