import { checkEveryAnswer } from './checked-fetch'
import { cloneDatabase } from './database'
import { testPort } from './free-port'
import { applyTestEnvironment } from './test-environment'

// Runs before each test file is imported, so before anything can read the settings.
applyTestEnvironment(await cloneDatabase(), await testPort())
checkEveryAnswer()
const { composeEvents } = await import('@/lib/server/compose-events')
composeEvents()
