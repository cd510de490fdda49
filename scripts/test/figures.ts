/**
 * Matches a measured number by its unit or by the words after it, such as "passed". Does not match numbers
 * with the words "seconds", "days", or "percent", because such numbers are usually settings.
 */
const figure =
  /(?<![\w.:/-])\d[\d,]*(?:\.\d+)?\s?(?:[kMG]i?B|ms|us|µs|s|x)\b|\b\d[\d,.]* (?:passed|times as|of \d[\d,]* acknowledged)/

/**
 * Matches a command that a reader can run: an indented line or text in backticks that starts with a known
 * program.
 */
const command =
  /^ {4}\s*(?:[A-Z_]+=\S+ )*(?:npm|npx|node|curl|docker|latchkey|du|systemd-analyze|promtool|for|grep|psql|helm|kubectl|pg_dump)\b|`(?:npm run|npx|latchkey|systemd-analyze|promtool|du) [^`]*`/m

/**
 * Finds figures that readers cannot reproduce because the `##` section with the figure contains no command.
 * @param page Markdown
 * @returns the lines with such figures
 */
export const figuresByHand = (page: string): string[] =>
  page
    .split(/^## /m)
    .filter((section) => !command.test(section))
    .flatMap((section) => section.split('\n').filter((line) => figure.test(line)))
