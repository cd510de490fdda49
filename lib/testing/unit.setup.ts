import { forgetEverything } from './fresh-process'
import { applyTestEnvironment } from './test-environment'
import './no-outside-names'
import './wait-longer'

forgetEverything()
// Unit tests have no database. The host name ends in .invalid, which never resolves (RFC 2606).
applyTestEnvironment('postgresql://unit-tests-have-no-database.invalid/none', 9)
