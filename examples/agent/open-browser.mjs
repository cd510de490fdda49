import { spawn } from 'node:child_process'

/** Shows an address to whoever sits at this machine; BROWSER=none leaves it to them. */
export function openBrowser(url) {
  if (process.env.BROWSER === 'none') return
  const [command, ...args] = { darwin: ['open'], win32: ['explorer'] }[process.platform] ?? ['xdg-open']
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {}) // No browser here: the address is printed where it is asked for.
    .unref()
}
