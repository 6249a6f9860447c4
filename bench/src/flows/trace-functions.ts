import { closeSync, openSync, writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { markEntries } from './mark-entries.ts';

/**
 * Preloaded into a program (`node --import`): writes which functions of packages and apps are entered, and when, into the
 * file that the variable FLOW_TRACE names. The sources run as they are, but for a call at the beginning of each function.
 */
const root = new URL('../../../', import.meta.url);
const traced = /^(?:packages\/(?!simulators\/)|apps\/)[^/]+\/src\/(?!.*\.test\.ts$).*\.ts$/;
const names: string[] = [];
const lastAt: number[] = [];
let lines: string[] = [];

Object.assign(globalThis, {
  enterFunction(id: number): void {
    const now = performance.timeOrigin + performance.now();
    // A function that is called in a loop is told of once a millisecond.
    if (now - (lastAt[id] ?? 0) < 1) return;
    lastAt[id] = now;
    lines.push(`${now.toFixed(3)}\t${names[id]}\n`);
  },
});

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const path = url.startsWith(root.href) ? url.slice(root.href.length) : '';
    if (!traced.test(path) || loaded.source === null || loaded.source === undefined) return loaded;
    const text =
      typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString();
    const source = markEntries(fileURLToPath(url), text, (name) => names.push(`${path}\t${name}`) - 1);
    return { ...loaded, source };
  },
});

const { FLOW_TRACE: file } = process.env;
if (file === undefined) throw new Error('FLOW_TRACE must name the file that the trace is written to.');
const output = openSync(file, 'a');
// A process that is killed has told of all but its last moments.
setInterval(flush, 20).unref();
process.on('exit', () => {
  flush();
  closeSync(output);
});

function flush(): void {
  if (lines.length > 0) writeSync(output, lines.join(''));
  lines = [];
}
