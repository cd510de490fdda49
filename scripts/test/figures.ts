/** A measured number: one with a unit of measurement results. Settings have seconds, days, or percent. */
const figure =
  /(?<![\w.:/-])\d[\d,]*(?:\.\d+)?\s?(?:[kMG]i?B|ms|us|µs|s|x)\b|\b\d[\d,.]* (?:passed|times as|of \d[\d,]* acknowledged)/

/** A command that a reader can run, as a line or in backticks. */
const command =
  /^ {4}\s*(?:[A-Z_]+=\S+ )*(?:npm|npx|node|curl|docker|latchkey|du|systemd-analyze|promtool|for|grep|psql|helm|kubectl|pg_dump)\b|`(?:npm run|npx|latchkey|systemd-analyze|promtool|du) [^`]*`/m

/**
 * Returns figures that no one can reproduce: those in a section without a command.
 * @param page Markdown
 * @returns the lines with such figures
 */
export const figuresByHand = (page: string): string[] =>
  page
    .split(/^## /m)
    .filter((section) => !command.test(section))
    .flatMap((section) => section.split('\n').filter((line) => figure.test(line)))
