import { writeFileSync } from 'node:fs'
import { configurationPage } from './configuration-page'

/**
 * `npm run configuration` writes docs/configuration.md. Run it after every change to a setting in
 * lib/base/config.
 */
writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationPage())
