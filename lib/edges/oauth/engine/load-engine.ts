/** The LTS name of Node 20. */
const NODE_20 = 'Iron'

/** The start of the warning to suppress, as oidc-provider prints it. */
const UNSUPPORTED = 'oidc-provider WARNING: Unsupported runtime.'

/**
 * On Node 20, loads oidc-provider without its warning about unsupported runtimes. Does nothing on other Node
 * versions. oidc-provider prints the warning on every Node version before 22, although it works on Node 20,
 * as our tests show. Other output is not suppressed. Call this function before another module loads
 * oidc-provider. See ADR 0004.
 * @param release the release information of the process
 */
export async function loadEngine(release: { lts?: string } = process.release): Promise<void> {
  if (release.lts !== NODE_20) return
  const { warn } = console
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes(UNSUPPORTED)) warn(...words)
  }
  try {
    await import('oidc-provider')
  } finally {
    console.warn = warn
  }
}
