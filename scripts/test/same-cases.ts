import fc from 'fast-check';

/**
 * Properties are tried with the same cases each time: what passed passes again, and a change is judged by what it changed.
 * `FC_SEED=random` tries others, `FC_SEED=N` those of a failure that named its seed.
 */
const { FC_SEED: seed = '20261123' } = process.env;
if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
