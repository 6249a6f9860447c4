import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const moduleUrl = new URL('./spare-memory.ts', import.meta.url).href;

/** What V8 says of the code that it optimizes while a process of its own does this. */
async function traceOf(work: string): Promise<string> {
  const script = `
    const { shrinkMemory, spareMemory, useMemory } = await import(${JSON.stringify(moduleUrl)});
    const turn = () => new Promise(setImmediate);
    function mix(sum, index) { return (sum * 31 + index) | 0; }
    async function workHard() {
      for (let round = 0, sum = 0; round < 1_000; round += 1, await turn())
        for (let index = 0; index < 2_000; index += 1) sum = mix(sum, index);
    }
    ${work}`;
  const flags = ['--trace-opt', '--trace-gc', '--trace-wasm-compilation-times', '--input-type=module'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', script]);
  return stdout;
}

/** Of the hot function, or of the loop that it was built into. */
const optimizedMix = /completed optimizing .*\b(?:mix|workHard)\b/;

const collected = /Mark-Compact \(reduce\)/;

describe('spareMemory', () => {
  it('lets V8 optimize nothing', async () => {
    expect(await traceOf('spareMemory(); await workHard();')).not.toMatch(
      /completed (?:compiling|optimizing)/,
    );
  });

  it('is over with the first work: what was hot before is optimized then', async () => {
    const trace = await traceOf(
      "spareMemory(); await workHard(); console.log('work begins'); useMemory(); await workHard();",
    );
    const [before = '', after = ''] = trace.split('work begins');
    expect(before).not.toMatch(optimizedMix);
    expect(after).toMatch(optimizedMix);
  });

  it('keeps the parser of fetch from being optimized, with work too', async () => {
    const trace = await traceOf(`
      const { createServer } = await import('node:http');
      const server = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      spareMemory();
      useMemory();
      for (let count = 0; count < 50; count += 1) await (await fetch('http://127.0.0.1:' + server.address().port)).text();
      server.closeAllConnections();
      server.close();`);
    expect(trace).toContain('using Liftoff');
    expect(trace).not.toContain('using TurboFan');
  });
});

describe('shrinkMemory', () => {
  it('collects all that start-up left, once, and only before there was work', async () => {
    const trace = await traceOf(
      "shrinkMemory(); console.log('next'); spareMemory(); shrinkMemory(); console.log('next'); shrinkMemory(); useMemory(); shrinkMemory();",
    );
    expect(trace.split('next').map((part) => collected.test(part))).toEqual([false, true, false]);
  });
});

describe('useMemory', () => {
  it('bounds the garbage that V8 holds while much is allocated', async () => {
    const trace = await traceOf(`
      const { getHeapSpaceStatistics } = await import('node:v8');
      spareMemory();
      useMemory();
      const live = [];
      let mostBytes = 0;
      for (let round = 0; round < 600; round += 1, await turn()) {
        live.push(Array.from({ length: 2_000 }, (_, index) => ({ round, text: 'text ' + index })));
        if (live.length > 60) live.shift();
        mostBytes = Math.max(mostBytes, process.memoryUsage().heapTotal);
      }
      const { space_size: young } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
      console.log(\`young \${young}, most \${mostBytes}.\`);`);
    const [, young, most] = /young (\d+), most (\d+)\./.exec(trace) ?? [];
    expect(Number(young)).toBeLessThan(20_000_000);
    expect(Number(most)).toBeLessThan(115_000_000);
  });

  it("leaves an operator's own flags where memory was never spared", async () => {
    const trace = await traceOf(
      "(await import('node:v8')).setFlagsFromString('--no-opt'); useMemory(); await workHard();",
    );
    expect(trace).not.toMatch(optimizedMix);
  });
});
