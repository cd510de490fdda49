import { writeFileSync } from 'node:fs'
import { securityPages } from './security-tests'

/**
 * `npm run security-tests` updates the index in docs/security/tests.md and the links to the index. Run it
 * after every change to a citation such as T12, and after every change to the title of a `describe` around a
 * cited test.
 */
for (const [file, page] of securityPages()) writeFileSync(file, page)
