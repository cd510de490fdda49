/**
 * An API scope in the text area of a form. Each line contains one scope in the format `name | what users
 * select | sensitivity
 * | description`. The two parts in the middle can be empty. The values are validated in `input.ts`.
 */
export type ScopeRow = { name: string; selects: string; sensitivity: string; description: string }

/**
 * Parses the scopes in a text area. An empty selection becomes NOTHING, and an empty sensitivity becomes LOW.
 * Ignores lines that contain only spaces and `|`, or nothing.
 */
export const scopeRows = (text: string): ScopeRow[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.replaceAll('|', '').trim() !== '')
    .map((line) => {
      const [name = '', selects = '', sensitivity = '', ...sentence] = line.split('|')
      return {
        name: name.trim(),
        selects: selects.trim().toUpperCase() || 'NOTHING',
        sensitivity: sensitivity.trim().toUpperCase() || 'LOW',
        description: sentence.join('|').replace(/^ /, ''),
      }
    })

/**
 * Converts scopes to the lines of a text area. Omits scopes that have neither a name nor a description, and
 * removes `|` from names.
 */
export const scopeLines = (rows: readonly ScopeRow[]): string =>
  rows
    .filter(({ name, description }) => name !== '' || description !== '')
    .map(({ name, selects, sensitivity, description }) =>
      [name.replaceAll('|', ''), selects, sensitivity, description].join(' | '),
    )
    .join('\n')
