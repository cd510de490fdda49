// Exits with a message if Node.js is too old. Entry points import this file first, so it must parse on any
// Node.js version.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Latchkey requires Node.js 20.19 or later. This is ${process.versions.node}. Install a current version from https://nodejs.org and try again.`,
  )
  process.exit(1)
}
