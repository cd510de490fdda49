/**
 * The benchmark's apps. A web app sends its secret (`client_secret_basic`). A native app has no secret and
 * uses PKCE. `algorithm` is the signing algorithm of the app's ID tokens. Each target registers the apps that
 * it supports.
 */
export const apps = {
  web: { secret: true, algorithm: 'ES256' },
  native: { secret: false, algorithm: 'ES256' },
  'web-rs256': { secret: true, algorithm: 'RS256' },
  'native-rs256': { secret: false, algorithm: 'RS256' },
} as const

export type AppName = keyof typeof apps
export const appNames = Object.keys(apps) as AppName[]

export const describeApp = (name: AppName): string =>
  `${apps[name].secret ? 'web app with client_secret_basic' : 'native app, PKCE and no secret'}, ${apps[name].algorithm}`

/** An app's OAuth client. `secret` is empty for a native app. */
export type Client = { id: string; secret: string }
