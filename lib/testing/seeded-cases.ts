import fc from 'fast-check'

const { FUZZ_SEED, FUZZ_RUNS } = process.env

// The same cases in each run, so that a rare one does not fail an unrelated change. FUZZ_SEED selects others.
// FUZZ_RUNS runs more, with a random seed. A failure reports its seed.
if (FUZZ_SEED || !FUZZ_RUNS) fc.configureGlobal({ seed: Number(FUZZ_SEED ?? 20_261_123) })

export { fc }
