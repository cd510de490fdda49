// Ends the process in a sentence on a Node that is too old. Imported before anything else, by files that must parse on any
// Node, as this one must.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Latchkey needs Node 20.19 or newer, this is ${process.versions.node}; install a current one from https://nodejs.org and try again.`,
  )
  process.exit(1)
}
