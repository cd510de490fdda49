type Env = Record<string, string | undefined>

/** Whether this process is a function on demand: frozen between two requests, and one of many. See decision 129. */
export const onFunctions = (env: Env = process.env): boolean => (env.VERCEL ?? '') !== ''

/**
 * What the settings are on a platform of functions where nothing else is said. Vercel is the one that is known.
 * - Few connections, because each instance opens its own.
 * - One proxy in front: Vercel replaces X-Forwarded-For by the address of the client.
 * - The address of the deployment, or the project's own in production.
 */
export function functionDefaults(env: Env): Env {
  if (!onFunctions(env)) return {}
  const host = env.VERCEL_ENV === 'production' ? env.VERCEL_PROJECT_PRODUCTION_URL : env.VERCEL_URL
  return {
    DATABASE_POOL: '4',
    TRUST_PROXY: '1',
    ...(host ? { BASE_URL: `https://${host}` } : {}),
  }
}
