/** What Node calls its version 20; every newer one with long support has a name later in the alphabet. */
const NODE_20 = 'Iron'

/** The one line that is left out, as the engine writes it. */
const UNSUPPORTED = 'oidc-provider WARNING: Unsupported runtime.'

/**
 * Loads the engine before anything else does. As it is loaded it warns of every Node older than 22; on Node 20, on which
 * each release of Latchkey is tested, that line is left out, and what anybody else says meanwhile is not. See ADR 0005.
 * @param release as Node names itself
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
