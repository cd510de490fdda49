import { spawn } from 'node:child_process'

/** Opens a URL in the local browser, unless BROWSER is `none`. */
export function openBrowser(url) {
  if (process.env.BROWSER === 'none') return
  const [command, ...args] = { darwin: ['open'], win32: ['explorer'] }[process.platform] ?? ['xdg-open']
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {}) // If there is no browser, the user opens the printed URL.
    .unref()
}
