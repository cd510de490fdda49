import { spawn } from 'node:child_process'

/** Opens an address in the browser of this machine, unless BROWSER is `none`. */
export function openBrowser(url) {
  if (process.env.BROWSER === 'none') return
  const [command, ...args] = { darwin: ['open'], win32: ['explorer'] }[process.platform] ?? ['xdg-open']
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {}) // There is no browser. The address is printed.
    .unref()
}
