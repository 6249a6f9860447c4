const range = 2 ** 32;

/** Numbers from 0 up to but not 1, the same in every run: what a bench finds must not hang on luck. */
export function createRandom(seed: number): () => number {
  let state = seed % range;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / range;
  };
}
