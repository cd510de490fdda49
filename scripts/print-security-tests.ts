import { writeFileSync } from 'node:fs'
import { securityPages } from './security-tests'

/** Writes the index of docs/security/tests.md: `npm run security-tests`, after every change of a citation such as T12. */
for (const [file, page] of securityPages()) writeFileSync(file, page)
