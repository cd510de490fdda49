import { checkEveryAnswer } from './checked-fetch'
import { cloneDatabase, throughPooler } from './database'
import { testPort } from './free-port'
import { applyTestEnvironment } from './test-environment'
import './name-server'
import './no-outside-names'
import './wait-longer'

// Runs before each test file is imported, so before anything can read the settings.
const database = await cloneDatabase()
applyTestEnvironment(database, await testPort())
Object.assign(process.env, throughPooler(database))
checkEveryAnswer()
const { composeEvents } = await import('@/lib/server/compose-events')
composeEvents()
