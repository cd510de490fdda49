import type { Provider } from 'oidc-provider'

/**
 * Lets no key outlive the key set it was read from. The engine asks for an app's key set again only when an assertion
 * matches none of the keys it has, however old these are, so a key that the app withdrew would stay good until somebody
 * used another. A set whose time is up is emptied here, and the engine fetches it for the assertion at hand.
 */
export function forgetStaleKeys(provider: Provider): void {
  const engineFind = provider.Client.find.bind(provider.Client)
  provider.Client.find = async (id) => {
    const client = await engineFind(id)
    if (client?.jwksUri) {
      const { asymmetricKeyStore: keys } = client as unknown as { asymmetricKeyStore: KeyStore }
      if (keys.stale()) keys.clear()
    }
    return client
  }
}

type KeyStore = { stale(): boolean; clear(): void }
