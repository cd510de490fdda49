/**
 * Whether a host is among those that a setting names.
 * @param patterns names in lower case; `*.example.com` stands for every host below example.com, and not for it
 */
export const isHostAmong = (patterns: readonly string[], host: string): boolean =>
  patterns.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name))
