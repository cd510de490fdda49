import { takeScreenshots } from '../support/screenshots'
import { addresses } from './addresses'
import { journeys } from './journeys'
import { richestRole } from './listing'
import { test, visit } from './test'
import { roles } from './world'

/**
 * Saves screenshots of every page in `addresses` and `journeys` in test-results/screens/pages.
 * `npm run screenshots` runs this file.
 */

for (const role of roles) {
  test(`takes screenshots of every page for the role ${role}`, async ({ page, world, become }) => {
    await become(role)
    for (const address of addresses) {
      const { name, seenBy, alsoAs } = address
      const richest = richestRole(seenBy) === role
      if (!richest && alsoAs !== role) continue
      await visit(page, address, world)
      await takeScreenshots(page, richest ? `pages/${name}` : `pages/${name}-as-${role}`)
    }
  })
}

for (const { as, sights, go } of journeys) {
  test(`takes screenshots of ${sights.map(({ name }) => name).join(', ')}`, async ({
    page,
    world,
    become,
  }) => {
    await become(as)
    let seen = 0
    await go(page, world, () => takeScreenshots(page, `pages/${sights[seen++]?.name}`))
  })
}
