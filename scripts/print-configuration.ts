import { writeFileSync } from 'node:fs'
import { configurationPage } from './configuration-page'

/** Writes docs/configuration.md: `npm run configuration`, after every change to a setting in lib/base/config. */
writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationPage())
