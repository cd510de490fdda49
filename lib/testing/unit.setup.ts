import { forgetEverything } from './fresh-process'
import { applyTestEnvironment } from './test-environment'
import './no-outside-names'
import './wait-longer'

forgetEverything()
// Unit tests have no database. Names that end in .invalid never resolve (RFC 2606), so a test that tries to
// connect fails.
applyTestEnvironment('postgresql://unit-tests-have-no-database.invalid/none', 9)
