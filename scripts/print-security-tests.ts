import { writeFileSync } from 'node:fs'
import { securityPages } from './security-tests'

/**
 * `npm run security-tests` updates the index in docs/security/tests.md and the links to it. Run it after every change to a
 * citation such as T12.
 */
for (const [file, page] of securityPages()) writeFileSync(file, page)
