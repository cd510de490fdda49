import { config } from '@/lib/base/config/env'
import type { AppType } from '@/lib/generated/prisma/enums'

/**
 * The redirect URIs that an app can register (ADR 0009; RFC 8252 sections 7 and 8, RFC 9700 section 2.1).
 * Registered URIs are later compared character by character, except for the ports of loopback addresses, so
 * they are not normalized.
 */

/**
 * The schemes that no app can register, because they run code, read data, or belong to the browser, the
 * operating system, or a well-known protocol rather than to a single app.
 */
const forbiddenSchemes = new Set(
  `about afp android-app app-settings applescript blob callto cid content data dav dict facetime facetime-audio feed file
  filesystem firefox ftp ftps geo gopher hcp help hxxp imap intent ios-app irc itms itms-apps itms-services jar javascript
  jscript ldap ldaps livescript magnet mailto maps market mhtml microsoft-edge mid mk mms mmsto mocha news nfs nntp opera pop
  prefs res resource rtsp search search-ms sftp shell shortcuts sip sips sms smsto smb ssh svn tel telnet urn vbscript
  view-source vnc webcal ws wss wyciwyg xmpp`.split(/\s+/),
)

/**
 * The pattern of further forbidden schemes. These schemes belong to operating systems, to browsers, or to
 * handlers that open any URL in a browser.
 */
const forbiddenFamilies =
  /^(ms-|chrome|googlechrome|moz-|safari-|edge|brave|view-|web\+|x-apple|x-man|x-help)|(^|[-+.])s?https?($|[-+.])/

const loopbackAddresses = new Set(['127.0.0.1', '[::1]'])
const loopbackHosts = new Set([...loopbackAddresses, 'localhost'])

/**
 * Returns whether a host, as parsed by `URL`, is the user's own machine: 127.0.0.1, [::1], or localhost (RFC
 * 8252 sections 7.3 and 8.3).
 */
export const isLoopbackHost = (hostname: string): boolean => loopbackHosts.has(hostname)

const maxLength = 1000

/**
 * Returns whether a URI uses plain http with a loopback IP address and no port. Such a redirect URI of a
 * native app matches any port (RFC 8252 section 7.3).
 */
export function acceptsAnyPort(uri: string): boolean {
  return /^http:\/\/(127\.0\.0\.1|\[::1\])(\/|\?|$)/.test(uri)
}

/**
 * Validates one of an app's redirect URIs or post-logout redirect URIs.
 * @param localhost whether `localhost` is accepted. By default, native apps must use 127.0.0.1 instead, which
 * an admin can enter in the app's settings. For self-registered apps, `localhost` is accepted, because agents
 * cannot change the host of their URIs.
 * @returns an error message that states how to fix the URI, or undefined if it is valid
 */
export function redirectUriProblem(
  uri: string,
  type: AppType,
  localhost = type === 'WEB',
): string | undefined {
  if (uri.length > maxLength) return `${shown(uri)} is longer than ${maxLength} characters.`
  const odd = charactersProblem(uri)
  if (odd) return `${shown(uri)} ${odd}`
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase()
  if (!scheme || !URL.canParse(uri)) {
    return `${shown(uri)} is not a complete address, such as https://app.example.com/callback.`
  }
  if (uri.includes('#')) return `${shown(uri)} has a fragment. Remove the # and everything after it.`
  const url = new URL(uri)
  if (url.username || url.password || /^[^/?]*\/\/[^/?]*@/.test(uri))
    return `${shown(uri)} contains a user name or password. Remove them.`
  if (scheme !== 'https' && scheme !== 'http') return customSchemeProblem(uri, scheme, type)
  const problem = scheme === 'https' ? httpsProblem(uri, url) : httpProblem(uri, url, localhost)
  if (problem || !isOwnAddress(uri)) return problem
  return `${shown(uri)} is an address of this instance. Enter an address of your app.`
}

/**
 * Returns whether a URI has the origin of this instance. No app can register such a redirect URI: a page that
 * posts a response to it would send one of our own forms from our own origin.
 */
export const isOwnAddress = (uri: string): boolean => URL.parse(uri)?.origin === config().BASE_URL

/** Returns one message for each invalid URI, so that all of them can be fixed together. */
export const redirectUriProblems = (uris: string[], type: AppType, localhost?: boolean): string[] =>
  uris.map((uri) => redirectUriProblem(uri, type, localhost)).filter((problem) => problem !== undefined)

/**
 * Returns the problem if a URI contains encoded control characters, an invalid percent encoding, or
 * characters that RFC 3986 section 2 forbids. Such URIs are rejected, because browsers and servers interpret
 * them differently.
 * @returns the end of an error message that begins with the URI, or undefined if there is no problem
 */
function charactersProblem(uri: string): string | undefined {
  const wrong = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]/u.exec(uri)?.[0]
  if (wrong !== undefined) {
    return /[\x21-\x7e]/.test(wrong)
      ? `contains ${wrong}, which is not allowed in a URI. Write it as ${percentEncoded(wrong)}.`
      : 'contains spaces or other characters that are not allowed in a URI.'
  }
  if (/%(?![\da-f]{2})/i.test(uri))
    return 'contains a % that is not followed by two hexadecimal digits. Write it as %25.'
  if (/%([01][\da-f]|7f)/i.test(uri)) return 'contains an encoded control character. Remove it.'
  return undefined
}

const percentEncoded = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

function httpsProblem(uri: string, url: URL): string | undefined {
  if (!/^https:\/\/[^/]/i.test(uri)) return `${shown(uri)} must start with https:// and a host name.`
  if (url.hostname.includes('*')) return `${shown(uri)} contains a wildcard. List each address separately.`
  return undefined
}

function httpProblem(uri: string, url: URL, localhost: boolean): string | undefined {
  if (!/^http:\/\/[^/]/i.test(uri) || !isLoopbackHost(url.hostname)) {
    return `${shown(uri)} must use https. Plain http is allowed only for your own machine.`
  }
  if (!localhost && !loopbackAddresses.has(url.hostname)) {
    return `${shown(uri)} must use 127.0.0.1 instead of localhost, such as http://127.0.0.1${url.port && `:${url.port}`}${url.pathname}.`
  }
  // Reject other spellings of the host, such as 127.1. If a client sent its redirect URI with the usual
  // spelling, the URIs would not match.
  if (!uri.toLowerCase().startsWith(`http://${url.hostname}`)) {
    return `${shown(uri)} must spell the host as ${url.hostname}.`
  }
  return undefined
}

function customSchemeProblem(uri: string, scheme: string, type: AppType): string | undefined {
  if (forbiddenSchemes.has(scheme) || forbiddenFamilies.test(scheme)) {
    return `${shown(uri)} uses ${scheme}:, which no app can register. Use another scheme.`
  }
  if (type === 'WEB') {
    return `${shown(uri)} uses ${scheme}:, which a web app cannot handle. Use https, or create a native app.`
  }
  return undefined
}

const shown = (uri: string) => (uri.length > 60 ? `${uri.slice(0, 57)}...` : uri)
