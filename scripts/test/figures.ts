/** A number that somebody measured: one with a unit in which results are counted. Settings are given in seconds, days and percent. */
const figure =
  /(?<![\w.:/-])\d[\d,]*(?:\.\d+)?\s?(?:[kMG]i?B|ms|us|µs|s|x)\b|\b\d[\d,.]* (?:passed|times as|of \d[\d,]* acknowledged)/

/** A line or a piece of one that somebody can type. */
const command =
  /^ {4}\s*(?:[A-Z_]+=\S+ )*(?:npm|npx|node|curl|docker|latchkey|du|systemd-analyze|promtool|for|grep|psql|helm|kubectl|pg_dump)\b|`(?:npm run|npx|latchkey|systemd-analyze|promtool|du) [^`]*`/m

/**
 * Figures of a page that nobody can print again: those in a section without a command.
 * @param page Markdown
 * @returns the lines they stand in
 */
export const figuresByHand = (page: string): string[] =>
  page
    .split(/^## /m)
    .filter((section) => !command.test(section))
    .flatMap((section) => section.split('\n').filter((line) => figure.test(line)))
