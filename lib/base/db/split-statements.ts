/** What a semicolon may stand in without ending a statement, a semicolon, and anything else. */
const pieces =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1|;|\w+|[\s\S]/g

/**
 * Divides SQL into its statements, in their order and without what only comments. It knows strings, names in quotes, bodies in
 * dollars and comments; not comments within comments, and not bodies that stand bare (`BEGIN ATOMIC`).
 * See decision 159.
 */
export function splitStatements(sql: string): string[] {
  const found: string[] = []
  let text = ''
  let says = false
  const end = () => {
    if (says) found.push(text.trim())
    text = ''
    says = false
  }
  for (const [piece] of sql.matchAll(pieces)) {
    if (piece === ';') end()
    else {
      text += piece
      says ||= !/^(--|\/\*|\s)/.test(piece)
    }
  }
  end()
  return found
}
