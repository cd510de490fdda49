/**
 * Sends the request of a curl command from the docs, so that the snippets run on machines without curl.
 * Supports only the options that the snippets use, and throws an error for any other option. `env` contains
 * the values of the command's variables.
 */
export async function runCurl(command: string, env: Record<string, string> = {}): Promise<Response> {
  const [program, ...words] = split(command, env)
  if (program !== 'curl') throw new Error(`This is not a curl command: ${command}`)
  const headers = new Headers()
  const data: string[] = []
  let url: string | undefined
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-i') continue
    if (!word.startsWith('-')) {
      url = word
      continue
    }
    const value = words.shift() ?? ''
    if (word === '-H') headers.append(...(value.split(/:\s*(.*)/s).slice(0, 2) as [string, string]))
    else if (word === '-u') headers.set('authorization', `Basic ${Buffer.from(value).toString('base64')}`)
    else if (word === '-d') data.push(value)
    else if (word === '--data-urlencode') data.push(encodeValue(value))
    else throw new Error(`The curl option ${word} is not supported.`)
  }
  if (data.length > 0 && !headers.has('content-type')) {
    headers.set('content-type', 'application/x-www-form-urlencoded')
  }
  return fetch(String(url), data.length > 0 ? { method: 'POST', headers, body: data.join('&') } : { headers })
}

/** Encodes `name=value` like curl, which encodes only the value. */
function encodeValue(pair: string): string {
  const at = pair.indexOf('=')
  return `${pair.slice(0, at)}=${encodeURIComponent(pair.slice(at + 1))}`
}

/**
 * Splits a shell command into words. Supports quotes, backslashes, and variables outside of single quotes.
 */
const split = (command: string, env: Record<string, string>): string[] => {
  const fill = (text: string) => text.replace(/\$(\w+)/g, (_, name) => env[name] ?? '')
  return [...command.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g)].map(([word]) =>
    word.replace(
      /'([^']*)'|"([^"]*)"|\\(.)|([^'"\\]+)/g,
      (_, single, double, escaped, plain) => single ?? escaped ?? fill(double ?? plain),
    ),
  )
}
