import { setFlagsFromString } from 'node:v8';

/** The parser of fetch is WebAssembly; its optimizing compiler takes 22 MB once, of which 10 stay with the process. */
const always = ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up'];
/** Values of V8 while there is nothing to do, and its own. Both compilers: what Maglev makes alone is never made better. */
const untilWork = [
  ['--no-turbofan', '--turbofan'],
  ['--no-maglev', '--maglev'],
  ['--semi-space-growth-factor=1', '--semi-space-growth-factor=2'],
] as const;
let isSparing = false;

/** Keeps the process small until there is work: V8 optimizes no code and lets the young generation stay at its first size. */
export function spareMemory(): void {
  isSparing = true;
  for (const flag of always) setFlagsFromString(flag);
  for (const [sparing] of untilWork) setFlagsFromString(sparing);
}

/** Gives V8 its own values back, the parser of fetch apart; does nothing where memory was not spared. */
export function useMemory(): void {
  if (!isSparing) return;
  isSparing = false;
  for (const [, usual] of untilWork) setFlagsFromString(usual);
}
