import fc from 'fast-check'

const { FUZZ_SEED, FUZZ_RUNS } = process.env

// By default, each run tests the same cases, so that a rare failure does not block an unrelated change.
// FUZZ_SEED selects other cases. FUZZ_RUNS changes the number of cases, and without FUZZ_SEED, their seed is
// random. A failed test prints the seed with which the test can be repeated.
if (FUZZ_SEED || !FUZZ_RUNS) fc.configureGlobal({ seed: Number(FUZZ_SEED ?? 20_261_123) })

export { fc }
