import fc from 'fast-check'

const { FUZZ_SEED, FUZZ_RUNS } = process.env

// The same cases in each run, or a rare one would fail for a change that has nothing to do with it. FUZZ_SEED has others; a search
// for new ones, with more of them (FUZZ_RUNS), begins somewhere else each time. What fails says which seed it was.
if (FUZZ_SEED || !FUZZ_RUNS) fc.configureGlobal({ seed: Number(FUZZ_SEED ?? 20_261_123) })

export { fc }
