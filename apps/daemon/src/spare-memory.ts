import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The parser of fetch is WebAssembly; its optimizing compiler takes 22 MB once, of which 10 stay with the process. */
const always = ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up'];
/** Values of V8 while there is nothing to do, and its own. Both compilers: what Maglev makes alone is never made better. */
const untilWork = [
  ['--no-turbofan', '--turbofan'],
  ['--no-maglev', '--maglev'],
  ['--semi-space-growth-factor=1', '--semi-space-growth-factor=2'],
] as const;
/** Bytes of the young generation with work. V8 lets it grow to 134 MB, most of which a daemon fills with garbage alone. */
const maxYoungBytes = 8 * 1024 * 1024;
let isSparing = false;
let isShrunk = false;

/** Keeps the process small until there is work: V8 optimizes no code and lets the young generation stay at its first size. */
export function spareMemory(): void {
  isSparing = true;
  for (const flag of always) setFlagsFromString(flag);
  for (const [sparing] of untilWork) setFlagsFromString(sparing);
}

/** Frees memory that only the start needed, code included. Called once, before the first work: it blocks the process for 120 ms on a busy machine. */
export function shrinkMemory(): void {
  if (!isSparing || isShrunk) return;
  isShrunk = true;
  setFlagsFromString('--expose-gc');
  const collect: NonNullable<typeof globalThis.gc> = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** Restores V8's own values, except for the parser of fetch, and bounds the garbage that it holds; does nothing if memory was not spared. */
export function useMemory(): void {
  if (!isSparing) return;
  isSparing = false;
  for (const [, usual] of untilWork) setFlagsFromString(usual);
  // V8 lets the heap grow to four times its size while much is allocated.
  setFlagsFromString('--heap-growing-percent=25');
  boundYoungGeneration();
}

/** V8 reads its limit of the young generation only when it starts, but the factor of growth after each collection. */
function boundYoungGeneration(): void {
  new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    setFlagsFromString(`--semi-space-growth-factor=${(young?.space_size ?? 0) >= maxYoungBytes ? 1 : 2}`);
  }).observe({ entryTypes: ['gc'] });
}
