import type { AppType } from '@/lib/generated/prisma/enums'

/**
 * Which redirect URIs an app may register (design section 5; RFC 8252 sections 7 and 8, RFC 9700 section 2.1).
 * What is registered here is later compared character by character, so nothing is normalised.
 */

/** Schemes that run something, read something, or belong to the browser or the system, never to an app. */
const forbiddenSchemes = new Set(
  'about blob cid content data file filesystem ftp ftps intent jar javascript mailto mid resource sms tel urn vbscript view-source ws wss chrome chrome-extension moz-extension ms-browser-extension android-app ios-app'.split(
    ' ',
  ),
)

/** Schemes without a dot that belong to one well-known application each. */
const registeredSchemes = new Set(
  'vscode vscode-insiders vscodium cursor windsurf zed claude raycast obsidian warp jetbrains'.split(' '),
)

const loopbackAddresses = new Set(['127.0.0.1', '[::1]'])
const loopbackHosts = new Set([...loopbackAddresses, 'localhost'])

const maxLength = 1000

/** Whether this URI is a loopback one without a port, which then accepts any port (RFC 8252 section 7.3). */
export function acceptsAnyPort(uri: string): boolean {
  return /^http:\/\/(127\.0\.0\.1|\[::1\])(\/|\?|$)/.test(uri)
}

/**
 * Checks one redirect URI of an app registered in the settings.
 * @returns what is wrong and what to write instead, or undefined
 */
export function redirectUriProblem(uri: string, type: AppType): string | undefined {
  if (uri.length > maxLength) return `${shown(uri)} is longer than ${maxLength} characters.`
  if (!/^[\x21-\x7e]+$/.test(uri)) return `${shown(uri)} holds spaces or characters that a URI cannot hold.`
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase()
  if (!scheme || !URL.canParse(uri)) {
    return `${shown(uri)} is not a complete address, such as https://app.example.com/callback.`
  }
  if (uri.includes('#')) return `${shown(uri)} has a fragment; leave out everything from the # on.`
  const url = new URL(uri)
  if (url.username || url.password) return `${shown(uri)} holds a user name or password; leave them out.`
  if (scheme === 'https') return httpsProblem(uri, url)
  if (scheme === 'http') return httpProblem(uri, url, type)
  return customSchemeProblem(uri, scheme, type)
}

function httpsProblem(uri: string, url: URL): string | undefined {
  if (!/^https:\/\/[^/]/i.test(uri)) return `${shown(uri)} must start with https:// and a host name.`
  if (url.hostname.includes('*')) return `${shown(uri)} holds a wildcard; list each address on its own.`
  return undefined
}

function httpProblem(uri: string, url: URL, type: AppType): string | undefined {
  if (!/^http:\/\/[^/]/i.test(uri) || !loopbackHosts.has(url.hostname)) {
    return `${shown(uri)} must use https; plain http is only for your own machine.`
  }
  if (type === 'NATIVE' && !loopbackAddresses.has(url.hostname)) {
    return `${shown(uri)} must name 127.0.0.1 instead of localhost, such as http://127.0.0.1${url.port && `:${url.port}`}${url.pathname}.`
  }
  // Other spellings of the address, such as 127.1, would never match what a client sends.
  if (!uri.toLowerCase().startsWith(`http://${url.hostname}`)) {
    return `${shown(uri)} must write the host as ${url.hostname}.`
  }
  return undefined
}

function customSchemeProblem(uri: string, scheme: string, type: AppType): string | undefined {
  if (forbiddenSchemes.has(scheme)) return `${shown(uri)} uses ${scheme}:, which no app can own.`
  if (type === 'WEB') {
    return `${shown(uri)} uses ${scheme}:, which a web app cannot answer; use https, or make a native app.`
  }
  if (!scheme.includes('.') && !registeredSchemes.has(scheme)) {
    return `${shown(uri)} must use a scheme with a dot that you own, such as com.example.app:/callback.`
  }
  return undefined
}

const shown = (uri: string) => (uri.length > 60 ? `${uri.slice(0, 57)}...` : uri)
