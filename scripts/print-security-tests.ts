import { writeFileSync } from 'node:fs'
import { securityPages } from './security-tests'

/**
 * `npm run security-tests` writes the index of docs/security/tests.md. Run it after every change of a citation such as T12.
 */
for (const [file, page] of securityPages()) writeFileSync(file, page)
